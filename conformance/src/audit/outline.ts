import type { Edition } from '@turnwire/protocol';
import type { JournalEntry } from '../wire/messages.ts';
import { editions } from './definition-of.ts';
import { Frame } from './frame.ts';

/**
 * The first pass over a connection, so that rules can refer to later frames: every answer is linked to its request. Updates are not
 * retained, so they do not consume memory.
 */
export class Outline {
  readonly #frames: Frame[] = [];
  readonly #asked = new Map<string, Frame[]>();
  /** Time of the last frame, in milliseconds since the connection began. */
  endsAt = 0;
  #read = 0;
  /** The version of the connection: the one that the last `initialize` agreed on. */
  version: number;

  /** @param version the version of a connection whose `initialize` is not among the frames. Default 1 */
  constructor(version: number = 1) {
    this.version = version;
  }

  readonly #edition = (): Edition => editions[this.version === 2 ? 2 : 1];

  /** All frames except `session/update`, in order. */
  get frames(): readonly Frame[] {
    return this.#frames;
  }

  /** Reads an entry in the first pass. */
  add(entry: JournalEntry): void {
    const frame = new Frame(entry, this.#edition);
    this.endsAt = entry.at;
    if (frame.update !== undefined) return;
    this.#frames.push(frame);
    const { kind, id, from } = frame;
    if (kind === 'answer') join(this.#asked.get(keyOf(from === 'agent' ? 'client' : 'agent', id)), frame);
    const agreed = kind === 'answer' && frame.method === 'initialize' ? frame.result?.['protocolVersion'] : undefined;
    if (Number.isInteger(agreed)) this.version = agreed as number;
    if (kind !== 'request') return;
    // Unreadable messages are answered with id null as well, so such answers are ambiguous.
    frame.isMistakable = typeof id !== 'string' && typeof id !== 'number';
    this.#asked.set(keyOf(from, id), [...(this.#asked.get(keyOf(from, id)) ?? []), frame]);
  }

  /** Reads an entry in the second pass. Call it for every entry, in the same order. */
  again(entry: JournalEntry): Frame {
    const frame = new Frame(entry, this.#edition);
    return frame.update === undefined ? (this.#frames[this.#read++] ?? frame) : frame;
  }
}

/**
 * Links an answer to the oldest open request with its id, since ids may be reused; otherwise to the last request, which is then answered
 * twice.
 */
function join(requests: readonly Frame[] | undefined, answer: Frame): void {
  const open = requests?.filter((request) => request.answer === undefined) ?? [];
  if (open.length > 1) for (const request of open) request.isMistakable = true;
  const [oldest] = open;
  answer.request = oldest ?? requests?.at(-1);
  if (oldest !== undefined) oldest.answer = answer;
}

/** Ids are separate per direction, and `1` differs from `"1"`. */
function keyOf(from: string, id: unknown): string {
  return `${from} ${JSON.stringify(id)}`;
}
