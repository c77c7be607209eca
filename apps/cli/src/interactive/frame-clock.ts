/** Time from one frame to the next at least, in milliseconds. */
const frameTime = 33;
/** Time from one picture of a spinner to the next, in milliseconds. */
const spinnerTime = 120;

/** Draws soon after something has changed, however often it changes. */
export class FrameClock implements Disposable {
  readonly #draw: () => void;
  #timer: NodeJS.Timeout | undefined;
  #spinner: NodeJS.Timeout | undefined;
  #last = -Infinity;

  constructor(draw: () => void) {
    this.#draw = draw;
  }

  /** Something has changed. */
  readonly changed = (): void => {
    this.#timer ??= setTimeout(this.#frame, Math.max(0, this.#last + frameTime - performance.now()));
  };

  /** Draws in a while even if nothing changes. */
  later(milliseconds: number): void {
    setTimeout(this.changed, milliseconds).unref();
  }

  /** Draws regularly, for a spinner, or no longer does. */
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

/** The picture of the spinner at a time in milliseconds. */
export function spinnerAt(now: number): string {
  return pictures[Math.floor(now / spinnerTime) % pictures.length] ?? pictures[0];
}
