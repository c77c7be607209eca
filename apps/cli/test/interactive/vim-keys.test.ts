import { expect, test } from 'vitest';
import { Editor } from '../../src/interactive/editor.ts';
import { VimKeys } from '../../src/interactive/vim-keys.ts';

/** Types into an editor with the keys of vim; `<` is Esc, and `|` in the result is the cursor. */
function typed(text: string, sent: string): string {
  const editor = new Editor();
  const vim = new VimKeys(editor);
  const press = (character: string): void => {
    const key = character === '<' ? { chord: 'escape', text: '' } : { chord: character, text: character };
    if (!vim.key(key)) editor.key(key);
  };
  for (const character of `${text}<`) press(character);
  for (const character of sent) press(character);
  const { text: written, cursor } = editor.edit;
  return `${written.slice(0, cursor)}|${written.slice(cursor)}`;
}

test.each([
  ['hjkl and counts move', 'ab cd\nef gh', '2hk', 'ab| cd\nef gh'],
  ['w, b and e move by words', 'one two, three', '0wwi-', 'one two-|, three'],
  ['e stops at the last letter', 'one two', '0ei-', 'on-|e two'],
  ['0, ^ and $ move in a line', '  one two', '^i+<0i-<$i*', '-  +one tw*|o'],
  ['gg, G and a number move to lines', 'a\nb\nc', 'ggi1<Gi3<2Gi2', '1a\n2|b\n3c'],
  ['1G goes to the first line, and a number beyond the end to the last one', 'a\nb\nc', '1Gi1<9Gi9', '1a\nb\n9|c'],
  ['e stops at an emoji', 'a😀 b', '0eix', 'ax|😀 b'],
  ['e leaves an emoji', '😀 b', '0eix', '😀 x|b'],
  ['t stops at an emoji', 'a👍🏽c', '0tcix', 'ax|👍🏽c'],
  ['dw at the end of a line keeps the line break', 'one two\nthree', 'gg0wdwx', 'on|e\nthree'],
  ['d2w passes the line break between two words', 'one\ntwo three', 'gg0d2w', '|three'],
  ['di( counts inner brackets after the cursor', 'f(a(b)c)', '02ldi(', 'f(|)'],
  ['di( counts inner brackets before the cursor', 'f(a(b)c)', '06ldi(', 'f(|)'],
  ['ci( at a bracket changes its own pair', 'f(a(b)c)', '05lci(x', 'f(a(x|)c)'],
  ['a large count stops at the end', 'ab cd', '0999999999lix<999999999bi-', '-|ab cxd'],
  ['f, t, ; and , search in the line', 'a.b.c.d', '0f.;ix<0t.iy<0f.;,iz', 'yaz|.bx.c.d'],
  ['x and X delete characters', 'abcd', '0xlX', '|cd'],
  ['dw, de, db and d$ delete', 'one two three', '0dwx', '|wo three'],
  ['a count before or after the operator', 'one two three four', '0d2w2dw', '|'],
  ['dd deletes lines, also the last one', 'a\nb\nc', 'dd', 'a\n|b'],
  ['2dd and p move lines', 'a\nb\nc', 'gg2ddp', 'c\n|a\nb'],
  ['yy and P copy a line', 'a\nb', 'ggyyP', '|a\na\nb'],
  ['cw changes to the end of a word', 'one two', '0cwsix', 'six| two'],
  ['cc keeps the line', 'a\nb\nc', 'kccx', 'a\nx|\nc'],
  ['C, D and S', 'one two', '0wD0Cx', 'x|'],
  ['ciw, di" and ca( change text objects', 'f("one two", x)', '0f"lciwsix', 'f("six| two", x)'],
  ['di" empties a quotation', 'say "one two" now', '0fodi"', 'say "|" now'],
  ['da( deletes with the brackets', 'f(a, b) c', '0fada(', 'f| c'],
  ['r replaces characters', 'abc', '02rxa-', 'xx-|c'],
  ['~ swaps the case, J joins lines', 'aB\n  c', 'gg2~J', 'Ab| c'],
  ['o and O open lines', 'a', 'ob<Oc', 'a\nc|\nb'],
  ['A and I insert at the ends', 'b', 'Ac<Ia', 'a|bc'],
  ['u undoes', 'abc', 'xxu', 'a|b'],
  ['. repeats the last change', 'one two three', '0cwx<w.w.', 'x x |x'],
  ['. repeats the text typed first', 'ab', '.', 'aa|bb'],
  ['an operator with an unknown motion does nothing', 'ab', 'dqx', '|a'],
  ['Esc leaves a command that is not complete', 'ab', 'd<x', '|a'],
])('%s', (_, text, sent, written) => {
  expect(typed(text, sent)).toBe(written);
});

test('a put with a large count is limited to 100,000 characters', () => {
  expect(typed('ab', 'yy999999999p').length).toBe(2 + 1 + 9_999 * 3);
  expect(typed('x'.repeat(99), 'yy9999p').length).toBe(99 + 1 + 1_000 * 100);
});

test('without a text, / begins a command, and j recalls nothing', () => {
  expect(typed('', '/help')).toBe('/help|');
  expect(typed('', 'jx')).toBe('|');
});

test('the arrow keys and Backspace move in the normal mode, and other keys have their usual effect', () => {
  const editor = new Editor();
  const vim = new VimKeys(editor);
  editor.write('abc');
  vim.key({ chord: 'escape', text: '' });
  const effects = ['backspace', 'ctrl-d', 'return', 'up'].map((chord) => vim.key({ chord, text: '' }));
  expect([effects, editor.edit.cursor, vim.mode]).toEqual([[true, false, false, false], 1, 'NORMAL']);
  vim.reset();
  expect(vim.mode).toBe('INSERT');
});
