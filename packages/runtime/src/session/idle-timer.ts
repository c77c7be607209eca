import { after } from '@turnwire/machine/waits';

/** The inputs of an idle timer. */
export interface IdleTimerParts {
  /** Milliseconds; `Infinity`: the timer never ends. */
  readonly time: number;
  readonly isUsed: () => boolean;
  readonly onIdle: () => void;
}

/** Calls back once a session has not been used for a while. It keeps no process alive. */
export class IdleTimer {
  /** Milliseconds, from the next check on. */
  time: number;
  readonly #parts: IdleTimerParts;
  /** How much work is under way that a client waits for. */
  #working = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(parts: IdleTimerParts) {
    this.#parts = parts;
    this.time = parts.time;
  }

  /** Starts the timer again unless the session is used. Call it after each change of its use. */
  check(): void {
    this.stop();
    if (this.#working > 0 || this.#parts.isUsed()) return;
    this.#timer = after(this.time, this.#parts.onIdle);
    this.#timer?.unref();
  }

  /** Does work for a client. The session is used until its end. */
  async during<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#working++;
    this.check();
    try {
      return await work();
    } finally {
      this.#working--;
      this.check();
    }
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
