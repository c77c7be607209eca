import type { StopReason } from '@turnwire/protocol';
import { limitOptions } from '../session/limit-options.ts';
import type { LimitName, Limits } from '../session/limit-options.ts';
import type { Spent } from '../session/session-usage.ts';

/** The usage of a turn, or of a part of it, and its limits. Checked between two answers: a running step is finished first. */
export class TurnLimits {
  readonly #limits: Limits;
  readonly #whole: TurnLimits | undefined;
  readonly #began = performance.now();
  #steps = 0;
  #tokens = 0;
  #cost = 0;

  /** @param whole the limits of the enclosing turn, to which this usage counts too */
  constructor(limits: Limits, whole?: TurnLimits) {
    this.#limits = limits;
    this.#whole = whole;
  }

  /** Counts an answer. */
  step(): void {
    this.#steps += 1;
    this.#whole?.step();
  }

  /** Counts the usage of an answer or a summary. */
  spend(spent: Spent): void {
    const { output, cost = 0 } = spent;
    this.#tokens += output;
    this.#cost += cost;
    this.#whole?.spend(spent);
  }

  /** The first limit that is reached. Undefined: the turn may continue. */
  get reached(): LimitName | undefined {
    return this.#firstReached(['steps', 'tokens', 'cost', 'minutes']);
  }

  /** The first reached limit at which also a running step is to end: all but the number of steps. */
  get reachedInStep(): LimitName | undefined {
    return this.#firstReached(['tokens', 'cost', 'minutes']);
  }

  /** How long the turn may still take, in milliseconds. */
  get timeLeft(): number {
    const own = this.#limits.minutes * 60_000 - (performance.now() - this.#began);
    return Math.max(0, Math.min(own, this.#whole?.timeLeft ?? Infinity));
  }

  #firstReached(names: readonly LimitName[]): LimitName | undefined {
    const taken: Limits = {
      steps: this.#steps,
      tokens: this.#tokens,
      cost: this.#cost,
      minutes: (performance.now() - this.#began) / 60_000,
    };
    const own = names.find((name) => taken[name] >= this.#limits[name]);
    return own ?? (this.#whole && this.#whole.#firstReached(names));
  }

  /** The message about a limit that is reached. */
  message(name: LimitName): string {
    const { name: option, word } = limitOptions[name];
    return `Stopped: this turn has reached its limit of ${word(this.#limits[name])}. Send “go on” to continue for another turn, or raise the option “${option}”.`;
  }
}

/** The stop reason for a limit. */
export function limitStopReason(name: LimitName): StopReason {
  return name === 'tokens' ? 'max_tokens' : 'max_turn_requests';
}
