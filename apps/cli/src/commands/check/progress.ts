import type { ScenarioResult } from '@agentwire/conformance';
import { cleanLine } from '../../terminal/clean-text.ts';
import { cutLine } from '../../terminal/text-width.ts';

/** One line on stderr that says how far a check is: on a terminal only, and gone in the end. */
export class Progress implements Disposable {
  readonly #total: number;
  readonly #what: string;
  #done = 0;
  #broken = 0;

  constructor(total: number, what: string) {
    this.#total = total;
    this.#what = what;
    this.#draw('starting');
  }

  readonly take = ({ scenario, observations }: ScenarioResult): void => {
    this.#done++;
    this.#broken += observations.filter(({ outcome }) => outcome === 'broken').length;
    this.#draw(scenario);
  };

  [Symbol.dispose](): void {
    if (process.stderr.isTTY) process.stderr.write('\r\x1b[2K');
  }

  #draw(last: string): void {
    if (!process.stderr.isTTY) return;
    const found = this.#broken === 0 ? '' : ` · ${this.#broken} findings`;
    const line = `${this.#done}/${this.#total} ${this.#what}${found} · ${last}`;
    process.stderr.write(`\r\x1b[2K${cutLine(cleanLine(line), process.stderr.columns - 1)}`);
  }
}
