/** What a passage is: the title of a session, a prompt, a message of the agent, or the title and the command of a tool call. */
export type PassageKind = 'title' | 'prompt' | 'message' | 'call';

/** A text of a session that users can search for, with the cursor and the time of its first event. A session has one title, at the cursor `0.0`. */
export interface Passage {
  readonly epoch: number;
  readonly sequence: number;
  readonly kind: PassageKind;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** At most 4,000 UTF-16 units, without NUL characters. */
  readonly text: string;
}

/** The maximum length of a passage. A longer text becomes several. */
export const longestPassage: number = 4_000;

/** How far before the end of a passage a long text may be cut at a space. */
const cutRange = 200;

/** Cuts a text into passages, between words if possible. An empty text has none. */
export function passagesOf(text: string, about: Omit<Passage, 'text'>): readonly Passage[] {
  const passages: Passage[] = [];
  for (let rest = text.replaceAll('\0', ' ').trim(); rest !== '';) {
    const end = rest.length <= longestPassage ? rest.length : cutIn(rest);
    passages.push({ ...about, text: rest.slice(0, end) });
    rest = rest.slice(end).trimStart();
  }
  return passages;
}

function cutIn(text: string): number {
  const space = text.lastIndexOf(' ', longestPassage);
  if (space > longestPassage - cutRange) return space;
  // A character of two units stays whole.
  return (text.codePointAt(longestPassage - 1) ?? 0) > 0xffff ? longestPassage - 1 : longestPassage;
}
