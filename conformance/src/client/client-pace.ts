import type { ClientCheckSettings } from './client-context.ts';

type Timeouts = ClientCheckSettings['timeouts'];

/**
 * How many times as long as its first turn a client may take for any task. On a quiet machine a flood of updates takes ten times as long
 * as a turn, and a client on a slow machine must not count as hanging.
 */
const floodsOfTurn = 15;
/** The lower bound for that time among other scenarios, in milliseconds: some tasks start a client twice. */
const shortest = 8_000;
/** The upper bound for that time, in timeouts for the end; alone nothing else waits for a scenario. */
const most = { amongOthers: 3, alone: 6 };
/** How many scenarios that hung alone show that further ones hang as well. */
const enough = 2;

/** How long a client may take, by how long it took for its first turn. */
export class ClientPace {
  readonly #chosen: Timeouts;
  #took = 0;
  readonly #late = new Set<string>();
  #hung = 0;

  constructor(chosen: Timeouts) {
    this.#chosen = chosen;
  }

  /** Takes notice of how long a turn with a flawless agent took, in milliseconds. */
  measured(took: number): void {
    this.#took = took;
  }

  /** The timeouts of a scenario that runs among others. A client that is late is given more time when the scenario is repeated alone. */
  get usual(): Timeouts {
    const { end, leave } = this.#chosen;
    const paced = Math.max(Math.min(end, shortest), this.#took * floodsOfTurn);
    return { ...this.#chosen, end: Math.min(end * most.amongOthers, paced), leave: this.#isKnown ? leave / 4 : leave };
  }

  /** The timeouts of a scenario that is repeated alone. */
  get alone(): Timeouts {
    if (this.#isKnown) return this.usual;
    const { end } = this.#chosen;
    return { ...this.#chosen, end: Math.max(end, Math.min(end * most.alone, this.#took * floodsOfTurn)) };
  }

  /** Takes notice of a scenario that took all of its time, in milliseconds. */
  note(scenario: string, took: number, limit: number): void {
    if (took < limit) return;
    if (this.#late.has(scenario)) this.#hung += 1;
    this.#late.add(scenario);
  }

  /** Whether a scenario took all of its time, and the turn has to be measured again before it is repeated. */
  isLate(scenario: string): boolean {
    return this.#late.has(scenario) && !this.#isKnown;
  }

  get #isKnown(): boolean {
    return this.#hung >= enough;
  }
}
