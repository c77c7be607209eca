/** Notices when nothing has been heard for a while. Hearing costs a clock reading; there is one timer. */
export class SilenceWatch implements Disposable {
  readonly #limit: number;
  readonly #onChange: (silentSince: number | undefined) => void;
  #heardAt = Date.now();
  #isSilent = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param limit milliseconds; Infinity never notices */
  constructor(limit: number, onChange: (silentSince: number | undefined) => void) {
    this.#limit = limit;
    this.#onChange = onChange;
    this.#arm(limit);
  }

  /** Something was heard. */
  heard(): void {
    this.#heardAt = Date.now();
    if (!this.#isSilent) return;
    this.#isSilent = false;
    this.#onChange(undefined);
    this.#arm(this.#limit);
  }

  /** The silence that was just noticed does not count. */
  forgive(): void {
    this.#isSilent = false;
    this.#heardAt = Date.now();
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
    const remaining = this.#heardAt + this.#limit - Date.now();
    if (remaining > 0) return this.#arm(remaining);
    this.#isSilent = true;
    this.#onChange(this.#heardAt);
  }
}
