import { printable } from './printable.ts';

type Part = Frame | string | number | readonly Part[];

/** Terminal output that is written unchanged: lines, cursor movements and modes. Only {@link frame} creates it. */
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
 * A template for drawing. The template itself, frames and numbers are written unchanged. An inserted text is a line or a part of one. It
 * keeps only our styles, so text of an agent cannot move the cursor.
 */
export function frame(fixed: TemplateStringsArray, ...parts: readonly Part[]): Frame {
  return Frame.of(fixed, parts);
}

function written(part: Part): string {
  if (part instanceof Frame) return part.text;
  if (typeof part === 'object') return part.map(written).join('');
  return typeof part === 'number' ? String(part) : printable(part, true).replaceAll('\n', ' ');
}
