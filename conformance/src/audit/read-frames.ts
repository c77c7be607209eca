import type { JournalEntry } from '../wire/journal.ts';
import { Frame } from './frame.ts';

/** The lines of a journal, with every answer joined to what it answers. */
export function readFrames(journal: readonly JournalEntry[]): readonly Frame[] {
  const frames = journal.map((entry) => new Frame(entry));
  const asked = new Map<string, Frame[]>();
  for (const frame of frames) {
    if (frame.kind === 'request') keep(asked, frame);
    if (frame.kind === 'answer') join(asked.get(keyOf(frame.from === 'agent' ? 'client' : 'agent', frame.id)), frame);
  }
  return frames;
}

function keep(asked: Map<string, Frame[]>, frame: Frame): void {
  const key = keyOf(frame.from, frame.id);
  // Whatever could not be read is answered with null, too.
  frame.isMistakable = typeof frame.id !== 'string' && typeof frame.id !== 'number';
  asked.set(key, [...(asked.get(key) ?? []), frame]);
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
