import { styleText } from 'node:util';
import type { WriteStream } from 'node:tty';

/** Styles that every terminal theme defines, so that they are readable on light and dark backgrounds. */
export type Style =
  | 'blue'
  | 'bold'
  | 'cyan'
  | 'dim'
  | 'green'
  | 'inverse'
  | 'italic'
  | 'magenta'
  | 'red'
  | 'strikethrough'
  | 'underline'
  | 'yellow';

/** A part of a line. */
export interface StyledText {
  readonly text: string;
  readonly style?: Style | undefined;
}

/** Styles a text, or returns it unchanged without colours. */
export type Paint = (style: Style, text: string) => string;

export const plain: Paint = (_, text) => text;

/** Always styles the text, regardless of the stream. */
export const coloured: Paint = (style, text) => (text === '' ? '' : styleText(style, text, { validateStream: false }));

/** The paint for a stream: coloured on a terminal with colours unless NO_COLOR is set, otherwise plain. */
export function paintFor(stream: WriteStream): Paint {
  return stream.isTTY && stream.hasColors() ? coloured : plain;
}
