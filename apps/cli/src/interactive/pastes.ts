/** A longer paste is shown as one character, by its size. */
const longest = { lines: 10, characters: 2_000 };
/** The first of the characters that stand for pastes: in a plane of Unicode without assigned characters. */
const firstMark = 0x10_0000;
/** The length of such a character, in UTF-16 units. */
export const markLength = 2;

/** Long pasted texts. Each is one character in the edited text, so that no key can cut it in two. */
export class Pastes {
  readonly #texts = new Map<string, string>();

  /** What to insert for a paste: its text, or the character that stands for it. */
  add(text: string): string {
    const plain = this.withoutMarks(text);
    if (plain.length <= longest.characters && lineCount(plain) <= longest.lines) return plain;
    const mark = String.fromCodePoint(firstMark + this.#texts.size);
    this.#texts.set(mark, plain);
    return mark;
  }

  /** A text without characters that stand for pastes. */
  withoutMarks(text: string): string {
    return text.replace(/[\u{100000}-\u{10ffff}]/gu, '');
  }

  /** The text that a character stands for, if it is one of them. */
  textOf(mark: string): string | undefined {
    return this.#texts.get(mark);
  }

  /** The text with all pastes expanded. */
  expand(text: string): string {
    return this.#texts.size === 0
      ? text
      : text.replace(/[\u{100000}-\u{10ffff}]/gu, (mark) => this.#texts.get(mark) ?? '');
  }

  /** How the screen shows a character. */
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
