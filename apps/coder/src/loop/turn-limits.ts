import type { StopReason } from '@turnwire/protocol';
import { limitOptions } from './limit-options.ts';
import type { LimitName, Limits } from './limit-options.ts';
import type { Spent } from './session-usage.ts';

/** What a turn has taken, and what it may take. It is looked at between two answers: what runs is finished first. */
export class TurnLimits {
  readonly #limits: Limits;
  readonly #began = performance.now();
  #steps = 0;
  #tokens = 0;
  #cost = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** An answer has come. */
  step(): void {
    this.#steps += 1;
  }

  /** A model was paid, for an answer or for a summary. */
  spend({ output, cost = 0 }: Spent): void {
    this.#tokens += output;
    this.#cost += cost;
  }

  /** The first limit that is reached. Undefined: the turn may go on. */
  get reached(): LimitName | undefined {
    const taken: Limits = {
      steps: this.#steps,
      tokens: this.#tokens,
      cost: this.#cost,
      minutes: (performance.now() - this.#began) / 60_000,
    };
    return (Object.keys(taken) as LimitName[]).find((name) => taken[name] >= this.#limits[name]);
  }

  /** What to tell the user about a limit that is reached. */
  words(name: LimitName): string {
    const { name: option, word } = limitOptions[name];
    return `Stopped: this turn has reached its limit of ${word(this.#limits[name])}. Say “go on” to go on for another turn, or raise the option “${option}”.`;
  }
}

/** How a turn ends that has reached a limit. */
export function limitStopReason(name: LimitName): StopReason {
  return name === 'tokens' ? 'max_tokens' : 'max_turn_requests';
}
