import { complain } from '../../failure.ts';
import { type HistoryDamage, longestLine } from '../../store/history.ts';

/** How many line numbers are listed. */
const named = 20;

/** Reports which lines of a history are left out. */
export class DamagedLines {
  readonly #path: string;
  readonly #unreadable: number[] = [];
  #more = 0;

  constructor(path: string) {
    this.#path = path;
  }

  readonly add = (number: number, damage: HistoryDamage): void => {
    if (damage !== 'unreadable') complain(`${this.#path}: line ${number} ${tooLong(damage.bytes)}`);
    else if (this.#unreadable.length < named) this.#unreadable.push(number);
    else this.#more++;
  };

  /** To be called when all of it was read. */
  complain(): void {
    if (this.#unreadable.length === 0) return;
    const more = this.#more > 0 ? ` and ${this.#more} more` : '';
    complain(`${this.#path}: lines ${this.#unreadable.join(', ')}${more} cannot be read and are left out`);
  }
}

/** Why a line of a history is left out. */
export function tooLong(bytes: number): string {
  return `is left out: it is ${Math.ceil(bytes / 2 ** 20)} MiB long, and at most ${longestLine / 2 ** 20} MiB are read`;
}
