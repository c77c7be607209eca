import type { JournalEntry } from '../wire/messages.ts';
import { Frame } from './frame.ts';

/**
 * A first reading of a connection, for what rules must know of frames that come later: every answer is joined to what it answers. Updates
 * are not kept, so that memory does not grow with them.
 */
export class Outline {
  readonly #frames: Frame[] = [];
  readonly #asked = new Map<string, Frame[]>();
  /** When the last frame came, in milliseconds since the connection began. */
  endsAt = 0;
  #read = 0;

  /** Everything but `session/update`, in order. */
  get frames(): readonly Frame[] {
    return this.#frames;
  }

  /** Reads an entry for the first time. */
  add(entry: JournalEntry): void {
    const frame = new Frame(entry);
    this.endsAt = entry.at;
    if (frame.update !== undefined) return;
    this.#frames.push(frame);
    const { kind, id, from } = frame;
    if (kind === 'answer') join(this.#asked.get(keyOf(from === 'agent' ? 'client' : 'agent', id)), frame);
    if (kind !== 'request') return;
    // Whatever could not be read is answered with null, too.
    frame.isMistakable = typeof id !== 'string' && typeof id !== 'number';
    this.#asked.set(keyOf(from, id), [...(this.#asked.get(keyOf(from, id)) ?? []), frame]);
  }

  /** Reads an entry for the second time. All of them, in the same order. */
  again(entry: JournalEntry): Frame {
    const frame = new Frame(entry);
    return frame.update === undefined ? (this.#frames[this.#read++] ?? frame) : frame;
  }
}

/** An id may have been used again: the oldest request without an answer is meant, else the last one, which is answered twice. */
function join(requests: readonly Frame[] | undefined, answer: Frame): void {
  const open = requests?.filter((request) => request.answer === undefined) ?? [];
  if (open.length > 1) for (const request of open) request.isMistakable = true;
  const [oldest] = open;
  answer.request = oldest ?? requests?.at(-1);
  if (oldest !== undefined) oldest.answer = answer;
}

/** Ids count for each direction, and `1` is not `"1"`. */
function keyOf(from: string, id: unknown): string {
  return `${from} ${JSON.stringify(id)}`;
}
