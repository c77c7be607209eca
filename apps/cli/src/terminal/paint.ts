import { styleText } from 'node:util';
import type { WriteStream } from 'node:tty';

/** The styles in use. */
type Style = 'bold' | 'cyan' | 'dim' | 'green' | 'red' | 'yellow';

/** Styles a text, or returns it as it is where there is no colour. */
export type Paint = (style: Style, text: string) => string;

export const plain: Paint = (_, text) => text;

/** Colours for a stream: only on a terminal that has them, and not with NO_COLOR. */
export function paintFor(stream: WriteStream): Paint {
  const hasColour = stream.isTTY && stream.hasColors();
  return hasColour ? (style, text) => styleText(style, text, { validateStream: false }) : plain;
}
