import type { UsageUpdate } from '@turnwire/protocol';

/** The limits of a turn. Default: no limits, and no retries. */
export interface TurnLimits {
  /** The longest duration, from the prompt on. */
  readonly seconds?: number;
  /** The most that the session may have cost, in the agent's currency, if the agent reports it. */
  readonly cost?: number;
  /** How often a prompt is sent again that failed for a passing reason before the agent did anything. */
  readonly retries?: number;
}

/** Why this side ended a turn. `_meta.turnwire.stopped` of the prompt's answer contains it. */
export interface StoppedTurn {
  /** A limit of the prompt, or rules that end a turn instead of asking. */
  readonly reason: 'seconds' | 'cost' | 'rules';
  /** A sentence for the user. */
  readonly message: string;
}

/** Watches the limits of one turn. */
export class LimitedTurn implements Disposable {
  /** Why the turn was stopped; undefined if it was not. */
  stopped: StoppedTurn | undefined;
  readonly #maxCost: number | undefined;
  readonly #onStop: () => void;
  readonly #timer: ReturnType<typeof setTimeout> | undefined;
  #isCostReported = false;

  /** @param onStop called once, to cancel the turn */
  constructor({ seconds, cost }: TurnLimits, onStop: () => void) {
    this.#maxCost = cost;
    this.#onStop = onStop;
    if (seconds === undefined) return;
    const message = `stopped: it took longer than ${seconds} s`;
    this.#timer = setTimeout(() => this.stop({ reason: 'seconds', message }), seconds * 1000);
  }

  /** Stops the turn if the agent reports a cost above the limit. */
  usage({ cost: reported }: UsageUpdate): void {
    if (this.#maxCost === undefined || !reported) return;
    this.#isCostReported = true;
    const { amount, currency } = reported;
    if (amount <= this.#maxCost) return;
    // Sums of fractions have digits beyond the price.
    const cost = `${Number(amount.toFixed(6))} ${currency}`;
    const message = `stopped: the session has cost ${cost}, more than the limit of ${this.#maxCost}`;
    this.stop({ reason: 'cost', message });
  }

  /** The warning about a limit of the cost without an effect. */
  get costWarning(): string | undefined {
    if (this.#maxCost === undefined || this.#isCostReported) return undefined;
    return `the agent reports no cost, so the limit of ${this.#maxCost} has no effect`;
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
