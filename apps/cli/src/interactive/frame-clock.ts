/** The minimum time between frames, in milliseconds. */
const frameTime = 33;
/** The time between frames of a spinner, in milliseconds. */
const spinnerTime = 120;

/** Draws soon after a change, with a limited frame rate. */
export class FrameClock implements Disposable {
  readonly #draw: () => void;
  #timer: NodeJS.Timeout | undefined;
  #spinner: NodeJS.Timeout | undefined;
  #last = -Infinity;

  constructor(draw: () => void) {
    this.#draw = draw;
  }

  /** Reports a change. */
  readonly changed = (): void => {
    this.#timer ??= setTimeout(this.#frame, Math.max(0, this.#last + frameTime - performance.now()));
  };

  /** Draws after a delay even without a change. */
  later(milliseconds: number): void {
    setTimeout(this.changed, milliseconds).unref();
  }

  /** Starts or stops regular drawing, for a spinner. */
  spin(isSpinning: boolean): void {
    if (isSpinning) this.#spinner ??= setInterval(this.changed, spinnerTime);
    else this.#spinner = void clearInterval(this.#spinner);
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    clearInterval(this.#spinner);
  }

  readonly #frame = (): void => {
    this.#timer = undefined;
    this.#last = performance.now();
    this.#draw();
  };
}

const pictures = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'] as const;

/** The frame of the spinner at a time in milliseconds. */
export function spinnerAt(now: number): string {
  return pictures[Math.floor(now / spinnerTime) % pictures.length] ?? pictures[0];
}
