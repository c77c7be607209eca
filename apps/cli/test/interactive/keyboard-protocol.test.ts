import { expect, test, vi } from 'vitest';
import { configSchema } from '../../src/config/config-shape.ts';
import { keyName } from '../../src/config/config-values.ts';
import { Keymap } from '../../src/interactive/keymap.ts';
import type { Key } from '../../src/interactive/key.ts';
import { KeyReader } from '../../src/interactive/key-reader.ts';

/** What a terminal's input is read as. */
function read(...pieces: readonly string[]): {
  readonly keys: readonly string[];
  readonly replies: readonly unknown[];
} {
  const keys: string[] = [];
  const replies: unknown[] = [];
  const reader = new KeyReader({
    key: ({ chord, text }) => void keys.push(text === '' ? chord : `'${text}'`),
    paste: (text) => void keys.push(`paste ${text}`),
    replied: (reply) => void replies.push(reply),
  });
  for (const piece of pieces) reader.push(Buffer.from(piece));
  return { keys, replies };
}

test.each([
  [
    'Shift-Enter, Ctrl-Enter and Alt-Enter',
    '\u001b[13;2u\u001b[13;5u\u001b[13;3u',
    ['shift-return', 'ctrl-return', 'meta-return'],
  ],
  ['Esc', '\u001b[27u', ['escape']],
  ['Ctrl-C, also with Num Lock', '\u001b[99;5u\u001b[99;133u', ['ctrl-c', 'ctrl-c']],
  [
    'keys that are the same without the protocol',
    '\u001b[106;5u\u001b[105;5u\u001b[45;6u\u001b[91;5u',
    ['enter', 'tab', 'ctrl-_', 'escape'],
  ],
  ['Alt-B and Shift-Tab', '\u001b[98;3u\u001b[9;2u', ['meta-b', 'shift-tab']],
  ['an arrow key with Num Lock, and Ctrl-Left with it', '\u001b[1;129A\u001b[1;133D', ['up', 'ctrl-left']],
  ['the keys of xterm', '\u001b[27;2;13~\u001b[27;5;120~', ['shift-return', 'ctrl-x']],
  ['keys of the window manager, and of another alphabet', '\u001b[121;9u\u001b[1089;5u', []],
  ['a character without Ctrl or Alt, which must not answer a question', '\u001b[121;1u', ['']],
])('%s of the kitty keyboard protocol are read as keys', (_, sent, keys) => {
  expect(read(sent).keys).toEqual(keys);
});

test('Esc twice in a short time is two keys', async () => {
  const keys: string[] = [];
  const reader = new KeyReader({ key: ({ chord }) => void keys.push(chord), paste: () => undefined });
  reader.push(Buffer.from('\u001b\u001b'));
  await vi.waitFor(() => expect(keys).toEqual(['escape', 'escape']));
});

test('a key that arrives in two pieces is one key', () => {
  expect(read('\u001b[99', ';5u', 'a').keys).toEqual(['ctrl-c', "'a'"]);
});

test('replies of the terminal are not typed, also in pieces and between keys', () => {
  expect(read('a\u001b[?1', 'ub\u001b]11;rgb:ffff/fa', 'fa/f0f0\u001b', '\\c')).toEqual({
    keys: ["'a'", "'b'", "'c'"],
    replies: [{ about: 'kitty-keyboard' }, { about: 'background', isLight: true }],
  });
  expect(read('\u001b]11;rgb:1e/1e/2e\u0007').replies).toEqual([{ about: 'background', isLight: false }]);
});

test('a keymap gives actions other keys, and leaves all others', () => {
  const keymap = new Keymap({ 'ctrl-s': 'transcript', enter: 'new-line', 'alt-enter': 'send', 'ctrl-t': 'none' });
  const keys: readonly Key[] = ['ctrl-s', 'return', 'meta-return', 'ctrl-t', 'ctrl-o'].map((chord) => ({
    chord,
    text: '',
  }));
  expect(keys.map((key) => keymap.mapped(key)?.chord)).toEqual([
    'ctrl-o',
    'meta-return',
    'return',
    undefined,
    'ctrl-o',
  ]);
  expect(keymap.mapped({ chord: 'a', text: 'a' })).toEqual({ chord: 'a', text: 'a' });
});

test('a key in the configuration needs a modifier or a name, and Ctrl-C always stops', () => {
  const names = ['ctrl-s', 'alt-shift-enter', 'f2', 'enter', 'a', 'shift', 'ctrl-c', 'super-x', 'ctrl-'];
  expect(names.filter((name) => keyName.test(name))).toEqual(['ctrl-s', 'alt-shift-enter', 'f2', 'enter']);
  expect(JSON.stringify(configSchema())).toContain('search-prompts');
});
