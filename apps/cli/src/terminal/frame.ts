import { printable } from './printable.ts';

type Part = Frame | string | number | readonly Part[];

/** Output for a terminal that is written unchanged: lines, cursor movements and modes. Made by {@link frame} alone. */
export class Frame {
  readonly text: string;

  private constructor(text: string) {
    this.text = text;
  }

  static of(fixed: TemplateStringsArray, parts: readonly Part[]): Frame {
    return new Frame(fixed.map((text, index) => text + written(parts[index] ?? '')).join(''));
  }

  get isEmpty(): boolean {
    return this.text === '';
  }
}

/**
 * A template for drawing. The template itself, frames and numbers are written unchanged. An inserted text is a line, or a
 * part of one: it keeps only our styles, so no text of an agent moves the cursor.
 */
export function frame(fixed: TemplateStringsArray, ...parts: readonly Part[]): Frame {
  return Frame.of(fixed, parts);
}

function written(part: Part): string {
  if (part instanceof Frame) return part.text;
  if (typeof part === 'object') return part.map(written).join('');
  return typeof part === 'number' ? String(part) : printable(part, true).replaceAll('\n', ' ');
}
