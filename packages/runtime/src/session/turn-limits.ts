import { CostLimit } from './cost-limit.ts';
import type { SessionUpdate } from '@turnwire/protocol';

/** What a turn may take at most. Default: no limits, and no retries. */
export interface TurnLimits {
  /** From the prompt on. */
  readonly seconds?: number;
  /** What the session may have cost, in the agent's currency, as far as the agent reports it. */
  readonly cost?: number;
  /** How often a prompt is sent again that failed for a passing reason before the agent did anything. */
  readonly retries?: number;
}

/** Why a turn was ended from this side, as the answer of its prompt has it in `_meta.turnwire.stopped`. */
export interface StoppedTurn {
  /** A limit of the prompt, or rules that end a turn instead of asking. */
  readonly reason: 'seconds' | 'cost' | 'rules';
  /** A sentence for the user. */
  readonly message: string;
}

/** Watches the limits of one turn. */
export class LimitedTurn implements Disposable {
  readonly #cost: CostLimit;
  readonly #onStop: (stopped: StoppedTurn) => void;
  readonly #timer: ReturnType<typeof setTimeout> | undefined;
  #stopped: StoppedTurn | undefined;

  /** @param onStop called once, when the turn is to be cancelled */
  constructor({ seconds, cost }: TurnLimits, onStop: (stopped: StoppedTurn) => void) {
    this.#cost = new CostLimit(cost);
    this.#onStop = onStop;
    if (seconds === undefined) return;
    const message = `stopped: it took longer than ${seconds} s`;
    this.#timer = setTimeout(() => this.stop({ reason: 'seconds', message }), seconds * 1000);
  }

  /** Why it was stopped; undefined if it was not. */
  get stopped(): StoppedTurn | undefined {
    return this.#stopped;
  }

  update(update: SessionUpdate): void {
    const message = this.#cost.exceededBy(update);
    if (message !== undefined) this.stop({ reason: 'cost', message });
  }

  /** A sentence about a limit that limits nothing. */
  warning(): string | undefined {
    return this.#cost.warning();
  }

  stop(stopped: StoppedTurn): void {
    if (this.#stopped) return;
    this.#stopped = stopped;
    this.#onStop(stopped);
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }
}
