import { at, type JournalEntry } from '../../wire/messages.ts';
import { framesOf } from '../frames.ts';

/** Something that was said in a conversation. */
export interface Said {
  readonly by: 'user' | 'agent';
  /** With single spaces only. */
  readonly text: string;
}

const speakers = { user_message_chunk: 'user', agent_message_chunk: 'agent' } as const;

/** Who said what, in order; pieces of one speaker in a row together. Thoughts and tool calls are left out. */
export function transcriptOf(entries: readonly JournalEntry[], sessionId: string): readonly Said[] {
  const said: { by: Said['by']; text: string }[] = [];
  for (const { kind, update, sessionId: of } of framesOf(entries).updates()) {
    const by = speakers[String(kind) as keyof typeof speakers];
    const text = at(update, 'content', 'text');
    if (by === undefined || of !== sessionId || typeof text !== 'string') continue;
    const last = said.at(-1);
    if (last?.by === by) last.text += text;
    else said.push({ by, text });
  }
  return said.map(({ by, text }) => ({ by, text: plain(text) }));
}

/** The first thing of a conversation that a transcript lacks, or has in another place. */
export function missingFrom(transcript: readonly Said[], conversation: readonly Said[]): Said | undefined {
  let place = 0;
  for (const said of conversation) {
    const found = transcript.findIndex(
      ({ by, text }, nth) => nth >= place && by === said.by && text.includes(plain(said.text)),
    );
    if (found === -1) return said;
    place = found;
  }
  return undefined;
}

/** How often a user said something, as a transcript has it. */
export function timesSaid(transcript: readonly Said[], { text: said }: Said): number {
  const words = transcript.filter(({ by }) => by === 'user').map(({ text }) => text);
  return words.join('\n').split(plain(said)).length - 1;
}

function plain(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
