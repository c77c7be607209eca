/** The limits of a paste that is shown in full. A longer one is one character, shown as its size. */
const longest = { lines: 10, characters: 2_000 };
/** The first mark of a paste, in a Unicode plane without assigned characters. */
const firstMark = 0x10_0000;
/** The length of a mark, in UTF-16 units. */
export const markLength = 2;

/** Long pasted texts. Each is one character, its mark, in the edited text, so that no key can split it. */
export class Pastes {
  readonly #texts = new Map<string, string>();

  /** The text to insert for a paste: the text itself, or a mark. */
  add(text: string): string {
    const plain = this.withoutMarks(text);
    if (plain.length <= longest.characters && lineCount(plain) <= longest.lines) return plain;
    const mark = String.fromCodePoint(firstMark + this.#texts.size);
    this.#texts.set(mark, plain);
    return mark;
  }

  /** Removes marks from a text. */
  withoutMarks(text: string): string {
    return text.replace(/[\u{100000}-\u{10ffff}]/gu, '');
  }

  /** The pasted text of a mark; undefined for any other text. */
  textOf(mark: string): string | undefined {
    return this.#texts.get(mark);
  }

  /** The text with all pastes expanded. */
  expand(text: string): string {
    return this.#texts.size === 0
      ? text
      : text.replace(/[\u{100000}-\u{10ffff}]/gu, (mark) => this.#texts.get(mark) ?? '');
  }

  /** The text on the screen for a character. */
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
