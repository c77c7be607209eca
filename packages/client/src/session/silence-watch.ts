/** Reports a pause in incoming messages. A message costs one reading of the clock; there is one timer. */
export class SilenceWatch implements Disposable {
  readonly #limit: number;
  readonly #onChange: (silentSince: number | undefined) => void;
  #receivedAt = Date.now();
  #isSilent = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param limit milliseconds; Infinity never reports */
  constructor(limit: number, onChange: (silentSince: number | undefined) => void) {
    this.#limit = limit;
    this.#onChange = onChange;
    this.#arm(limit);
  }

  /** Records an incoming message. */
  received(): void {
    this.#receivedAt = Date.now();
    if (!this.#isSilent) return;
    this.#isSilent = false;
    this.#onChange(undefined);
    this.#arm(this.#limit);
  }

  /** Restarts the timeout after a pause that does not count. */
  forgive(): void {
    this.#isSilent = false;
    this.#receivedAt = Date.now();
    this.#arm(this.#limit);
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }

  #arm(delay: number): void {
    clearTimeout(this.#timer);
    if (delay !== Infinity) this.#timer = setTimeout(() => this.#look(), delay);
  }

  #look(): void {
    const remaining = this.#receivedAt + this.#limit - Date.now();
    if (remaining > 0) return this.#arm(remaining);
    this.#isSilent = true;
    this.#onChange(this.#receivedAt);
  }
}
