import { styleText } from 'node:util';
import type { WriteStream } from 'node:tty';

/** The styles in use: only what every terminal's own theme defines, so that they read well on light and on dark. */
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

/** Styles a text, or returns it as it is where there is no colour. */
export type Paint = (style: Style, text: string) => string;

export const plain: Paint = (_, text) => text;

/** Styles every text, whatever stream it goes to. */
export const coloured: Paint = (style, text) => (text === '' ? '' : styleText(style, text, { validateStream: false }));

/** Colours for a stream: only on a terminal that has them, and not with NO_COLOR. */
export function paintFor(stream: WriteStream): Paint {
  return stream.isTTY && stream.hasColors() ? coloured : plain;
}
