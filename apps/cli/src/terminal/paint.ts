import { styleText } from 'node:util';
import type { WriteStream } from 'node:tty';

/** The styles: only those that every terminal's own theme defines, so that they are readable on light and on dark. */
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

/** Always styles, whatever the stream. */
export const coloured: Paint = (style, text) => (text === '' ? '' : styleText(style, text, { validateStream: false }));

/** Colours for a stream: only on a terminal that has them, and not with NO_COLOR. */
export function paintFor(stream: WriteStream): Paint {
  return stream.isTTY && stream.hasColors() ? coloured : plain;
}
