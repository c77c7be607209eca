import type { ScenarioResult } from '@turnwire/conformance';
import { LiveLine } from './live-line.ts';

/** Shows the progress of a check. */
export class Progress implements Disposable {
  readonly #live = new LiveLine();
  readonly #total: number;
  readonly #what: string;
  readonly #broken = new Set<string>();
  #done = 0;

  constructor(total: number, what: string) {
    this.#total = total;
    this.#what = what;
    this.#show('starting');
  }

  readonly take = ({ scenario, observations }: ScenarioResult): void => {
    this.#done++;
    for (const { outcome, requirement } of observations) if (outcome === 'broken') this.#broken.add(requirement);
    this.#show(scenario);
  };

  [Symbol.dispose](): void {
    this.#live[Symbol.dispose]();
  }

  #show(last: string): void {
    const found = this.#broken.size === 0 ? '' : ` · ${this.#broken.size} broken`;
    this.#live.show(`${this.#done}/${this.#total} ${this.#what}${found} · ${last}`);
  }
}
