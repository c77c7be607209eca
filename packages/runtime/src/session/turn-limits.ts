/** The limits of a turn. Default: no limits, and no retries. */
export interface TurnLimits {
  /** The longest duration, from the prompt on. */
  readonly seconds?: number;
  /** The most that the session may have cost, in the currency of its budgets, if the agent reports it. */
  readonly cost?: number;
  /** How often a prompt is sent again that failed for a passing reason before the agent did anything. */
  readonly retries?: number;
}

/** Why this side ended a turn. `_meta.turnwire.stopped` of the prompt's answer contains it. */
export interface StoppedTurn {
  /** The duration of the turn, a budget, or rules that end a turn instead of asking. */
  readonly reason: 'seconds' | 'budget' | 'rules';
  /** A sentence for the user. */
  readonly message: string;
}

/** Watches the duration of one turn. */
export class LimitedTurn implements Disposable {
  /** Why the turn was stopped; undefined if it was not. */
  stopped: StoppedTurn | undefined;
  readonly #onStop: () => void;
  readonly #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param onStop called once, to cancel the turn */
  constructor({ seconds }: TurnLimits, onStop: () => void) {
    this.#onStop = onStop;
    if (seconds === undefined) return;
    const message = `stopped: it took longer than ${seconds} s`;
    this.#timer = setTimeout(() => this.stop({ reason: 'seconds', message }), seconds * 1000);
  }

  /** Stops the turn. Only the first reason counts. */
  stop(stopped: StoppedTurn): void {
    if (this.stopped) return;
    this.stopped = stopped;
    this.#onStop();
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }
}
