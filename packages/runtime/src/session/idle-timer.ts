import { after } from '@turnwire/machine/waits';

/** Calls back once nothing has happened for a while. It keeps no process alive. */
export class IdleTimer {
  #time: number;
  readonly #onIdle: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param time in milliseconds; `Infinity`: it never calls back */
  constructor(time: number, onIdle: () => void) {
    this.#time = time;
    this.#onIdle = onIdle;
  }

  /** From its next start on it waits for another time, in milliseconds. */
  set time(time: number) {
    this.#time = time;
  }

  /** Waits from now on. */
  start(): void {
    this.stop();
    this.#timer = after(this.#time, this.#onIdle);
    this.#timer?.unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
