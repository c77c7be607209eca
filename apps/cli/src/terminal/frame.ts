import { printable } from './printable.ts';

type Part = Frame | string | number | readonly Part[];

/** What is written to a terminal as it is: lines, and what moves the cursor or sets a mode. Made by {@link frame} alone. */
export class Frame {
  readonly text: string;

  private constructor(text: string) {
    this.text = text;
  }

  static of(fixed: TemplateStringsArray, parts: readonly Part[]): Frame {
    return new Frame(fixed.map((text, place) => text + written(parts[place] ?? '')).join(''));
  }

  get isEmpty(): boolean {
    return this.text === '';
  }
}

/**
 * A template of what is drawn. The template itself, frames and numbers are written as they are. A text that is put in is a line, or a
 * part of one: of what steers a terminal it keeps styles alone, so nothing an agent says moves the cursor.
 */
export function frame(fixed: TemplateStringsArray, ...parts: readonly Part[]): Frame {
  return Frame.of(fixed, parts);
}

function written(part: Part): string {
  if (part instanceof Frame) return part.text;
  if (typeof part === 'object') return part.map(written).join('');
  return typeof part === 'number' ? String(part) : printable(part, true).replaceAll('\n', ' ');
}
