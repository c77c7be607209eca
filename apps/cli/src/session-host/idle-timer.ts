/** Calls back after a while without activity. */
export class IdleTimer {
  readonly #onIdle: () => void;
  #seconds: number;
  #timer: NodeJS.Timeout | undefined;

  /** @param seconds 0 never calls */
  constructor(seconds: number, onIdle: () => void) {
    this.#seconds = seconds;
    this.#onIdle = onIdle;
  }

  set({ isIdle, ttl }: { readonly isIdle: boolean; readonly ttl: number | undefined }): void {
    this.#seconds = ttl ?? this.#seconds;
    clearTimeout(this.#timer);
    if (isIdle && this.#seconds > 0) this.#timer = setTimeout(this.#onIdle, this.#seconds * 1000);
  }
}
