/** A paste that is longer than this is shown as one character, by its size. */
const longest = { lines: 10, characters: 2_000 };
/** Where the characters that stand for pastes begin: a plane of Unicode nobody has given a meaning. */
const firstMark = 0x10_0000;

/** Long texts that were pasted. Each is one character in the text that is edited, so that no key can cut it in two. */
export class Pastes {
  readonly #texts = new Map<string, string>();

  /** What to put into the text for a paste: itself, or the character that stands for it. */
  add(text: string): string {
    const plain = this.withoutMarks(text);
    if (plain.length <= longest.characters && lineCount(plain) <= longest.lines) return plain;
    const mark = String.fromCodePoint(firstMark + this.#texts.size);
    this.#texts.set(mark, plain);
    return mark;
  }

  /** A text without characters that would be taken for a paste. */
  withoutMarks(text: string): string {
    return text.replace(/[\u{100000}-\u{10ffff}]/gu, '');
  }

  /** The text with everything that was pasted. */
  expand(text: string): string {
    return this.#texts.size === 0
      ? text
      : text.replace(/[\u{100000}-\u{10ffff}]/gu, (mark) => this.#texts.get(mark) ?? '');
  }

  /** What the screen shows for a character. */
  readonly show = (grapheme: string): string => {
    const text = this.#texts.get(grapheme);
    if (text === undefined) return grapheme;
    const lines = lineCount(text);
    return lines > 1 ? `[pasted ${lines} lines]` : `[pasted ${text.length} characters]`;
  };

  clear(): void {
    this.#texts.clear();
  }
}

function lineCount(text: string): number {
  return text.replace(/\n$/, '').split('\n').length;
}
