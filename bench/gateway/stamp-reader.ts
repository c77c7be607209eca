import { readStamp, type Stamp } from './stamp.ts';

/** Serials in the order of arrival. */
export class StampReader {
  readonly serials: number[] = [];
  readonly #onStamp: (stamp: Stamp) => void;

  constructor(onStamp: (stamp: Stamp) => void = () => undefined) {
    this.#onStamp = onStamp;
  }

  /** Reads the text of an update. Throws if it is damaged. */
  read(text: string): void {
    const stamp = readStamp(text);
    if (!stamp) return;
    this.serials.push(stamp.serial);
    this.#onStamp(stamp);
  }
}

/** Counts missing serials, and serials that arrived twice or were not expected. */
export function compared(
  received: readonly number[],
  expected: readonly number[],
): { readonly lost: number; readonly doubled: number } {
  const left = new Map<number, number>();
  for (const serial of expected) left.set(serial, (left.get(serial) ?? 0) + 1);
  let doubled = 0;
  for (const serial of received) {
    const open = left.get(serial) ?? 0;
    if (open > 0) left.set(serial, open - 1);
    else doubled++;
  }
  const isOrdered = received.every((serial, index) => index === 0 || serial > received[index - 1]!);
  if (!isOrdered && doubled === 0) throw new Error('updates came in another order than they were sent in');
  return { lost: [...left.values()].reduce((sum, each) => sum + each, 0), doubled };
}
