import { styleText } from 'node:util';
import type { WriteStream } from 'node:tty';

/** Styles that every terminal theme defines. Some are hard to read on a light background, see {@link lightBackground}. */
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

/** Darker colours of the 256, for the styles that most themes make too bright for a light background. */
const darker: Readonly<Partial<Record<Style, string>>> = { yellow: '38;5;130', cyan: '38;5;30', green: '38;5;28' };

/** Whether the terminal has a light background. Set when the terminal or the user says so. */
export const lightBackground: { isOn: boolean } = { isOn: false };

/** Always styles the text, regardless of the stream. */
export const coloured: Paint = (style, text) => {
  if (text === '') return '';
  const dark = lightBackground.isOn ? darker[style] : undefined;
  return dark === undefined ? styleText(style, text, { validateStream: false }) : `\u001b[${dark}m${text}\u001b[39m`;
};

/** The paint for a stream: coloured on a terminal with colours unless NO_COLOR is set, otherwise plain. */
export function paintFor(stream: WriteStream): Paint {
  return stream.isTTY && stream.hasColors() ? coloured : plain;
}
