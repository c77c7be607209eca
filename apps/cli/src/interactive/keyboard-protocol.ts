/* oxlint-disable no-control-regex -- that is what keys are */
import type { Key } from './key.ts';

/** A key with modifiers: `CSI code ; modifiers u` of the kitty keyboard protocol, and older sequences such as `CSI 1 ; modifiers A`. */
const modifiedKey = /\u001b\[(\d+)(?:;(\d*))?([A-HPQSu~])/g;
/** The same as xterm sends it with `modifyOtherKeys`: `CSI 27 ; modifiers ; code ~`. */
const otherKey = /\u001b\[27;(\d+);(\d+)~/g;
/** The beginning of such a key at the end of a text. */
const begunKey = /\u001b\[\d[\d;]*$/;
const codedKey = /^\u001b\[(\d{1,3});(\d)u$/;

const [shift, meta, ctrl] = [1, 2, 4];
/** Super, Hyper and the other Meta: keys of the window manager. */
const foreign = 8 | 16 | 32;
const names: Readonly<Record<string, string | undefined>> = {
  9: 'tab',
  13: 'return',
  27: 'escape',
  32: 'space',
  127: 'backspace',
};
/** The keys that terminals without the protocol send instead. */
const synonyms: Readonly<Record<string, string | undefined>> = {
  'ctrl-[': 'escape',
  'ctrl-i': 'tab',
  'ctrl-j': 'enter',
  'ctrl-m': 'return',
  'ctrl-h': 'backspace',
  'ctrl--': 'ctrl-_',
  'ctrl-/': 'ctrl-_',
};

/**
 * Prepares input for Node's decoder, which takes codes of more than three digits and modifiers of more than one for text: Caps Lock and Num
 * Lock are left out, and so are keys of the window manager and of other alphabets. `held` is the beginning of a key, whose rest arrives later.
 */
export function decodable(input: string): { readonly text: string; readonly held: string } {
  const text = input.replaceAll(otherKey, '\u001b[$2;$1u').replaceAll(modifiedKey, simplified);
  const held = begunKey.exec(text)?.[0] ?? '';
  return { text: text.slice(0, text.length - held.length), held };
}

function simplified(key: string, ...parts: readonly (string | undefined)[]): string {
  const [code = '', modifiers, end = ''] = parts;
  const bits = Math.max(0, Number(modifiers || '1') - 1);
  if (end === 'u') return code.length > 3 || bits & foreign ? '' : `\u001b[${code};${(bits & 7) + 1}u`;
  if (bits < 8) return key;
  if (bits & 7) return `\u001b[${code};${(bits & 7) + 1}${end}`;
  return end === '~' ? `\u001b[${code}~` : `\u001b[${end}`;
}

/** The key of a sequence of the kitty keyboard protocol. */
export function codedKeyOf(sequence: string): Key | undefined {
  const [, code, modifiers] = codedKey.exec(sequence) ?? [];
  if (code === undefined) return undefined;
  const bits = Number(modifiers) - 1;
  const name = names[code];
  // Terminals send typed characters as text. One that does not must not answer a question by accident.
  if (name === undefined && !(bits & (ctrl | meta))) return { chord: '', text: '' };
  const held = [bits & ctrl && 'ctrl', bits & meta && 'meta', bits & shift && name !== undefined && 'shift'];
  const chord = [...held.filter(Boolean), name ?? String.fromCodePoint(Number(code))].join('-');
  return { chord: synonyms[chord] ?? chord, text: '' };
}
