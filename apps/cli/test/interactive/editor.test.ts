import { describe, expect, test } from 'vitest';
import { layOut } from '../../src/interactive/edit-layout.ts';
import { Editor } from '../../src/interactive/editor.ts';
import { KeyReader } from '../../src/interactive/key-reader.ts';
import { plain } from '../../src/terminal/paint.ts';

/** An editor that was typed into, with what it shows. */
function typed(...sent: readonly string[]): { editor: Editor; lines: readonly string[]; cursor: unknown } {
  const editor = new Editor();
  const reader = new KeyReader({ key: (key) => void editor.key(key), paste: (text) => editor.paste(text) });
  for (const text of sent) reader.push(Buffer.from(text));
  return { editor, ...draw(editor) };
}

function draw(editor: Editor): { lines: readonly string[]; cursor: unknown } {
  const { lines, cursor } = editor.draw({ columns: 20, rows: 5 }, { paint: plain, sign: '> ', hint: 'hint' });
  return { lines, cursor };
}

const [left, up, ctrlLeft] = ['\u001b[D', '\u001b[A', '\u001b[1;5D'];

describe('the prompt editor', () => {
  test.each([
    ['is empty at first', [], ['> hint']],
    ['takes text', ['hello'], ['> hello']],
    [
      'takes a new line from Alt-Enter, Ctrl-J and a backslash before Enter',
      ['a\u001b\rb\nc\\\rd'],
      ['> a', '  b', '  c', '  d'],
    ],
    ['deletes a character of several code points at once', ['a👩‍👩‍👧b', left, '\u007f'], ['> ab']],
    ['moves and deletes by words', ['one two three', ctrlLeft, '\u0017'], ['> one three']],
    ['yanks deleted text', ['one two', '\u0017', '\u0001', '\u0019', ' '], ['> two one ']],
    ['undoes a deletion', ['one', '\u0017', '\u001f'], ['> one']],
    ['breaks long lines', ['x'.repeat(25)], [`> ${'x'.repeat(17)}`, `  ${'x'.repeat(8)}`]],
    [
      'shows a long paste by its size',
      ['a ', `\u001b[200~${'line\r'.repeat(20)}\u001b[201~`, ' b'],
      ['> a ', '  [pasted 20 lines]', '   b'],
    ],
    [
      'shows a long paste whole when it is pasted once more',
      ['a ', `\u001b[200~${'y'.repeat(2_001)}\u001b[201~`.repeat(2), '\u0015'],
      ['> hint'],
    ],
    ['takes a short paste as it is', [`\u001b[200~one\rtwo\u001b[201~`], ['> one', '  two']],
    ['takes Enter and the key after it as keys', ['\rn'], ['> n']],
    [
      'takes lines without marks as a paste, and sends none',
      ['one\r!touch x\r\nthree\r'],
      ['> one', '  !touch x', '  three', '  '],
    ],
    ['cleans what is pasted', [`\u001b[200~a\u001b[31mb\u0007\u001b[201~`], ['> ab']],
  ])('the editor %s', (_, sent, lines) => {
    expect(typed(...sent).lines).toEqual(lines);
  });

  test('the editor sends a long paste completely', () => {
    const { editor } = typed('a ', `\u001b[200~${'line\r'.repeat(20)}\u001b[201~`);
    expect(editor.text).toBe(`a ${'line\n'.repeat(20)}`);
  });

  test('the editor remembers sent prompts', () => {
    const { editor } = typed('first');
    expect(editor.take()).toBe('first');
    editor.key({ chord: 'x', text: 'x' });
    editor.key({ chord: 'up', text: '' });
    expect(draw(editor).lines).toEqual(['> first']);
    editor.key({ chord: 'down', text: '' });
    expect(draw(editor).lines).toEqual(['> x']);
  });

  test('the cursor moves up and down by the lines on the screen', () => {
    expect(typed('日本', '\n', 'abcd', up).cursor).toEqual({ row: 0, column: 6 });
  });

  test('the editor lays out only the visible part of a long text, with the same result', () => {
    const text = Array.from({ length: 5_000 }, (_, index) => `${index} ä ${'x'.repeat(index % 40)}`).join('\n');
    const edit = { text, cursor: text.indexOf('\n2500 ') + 3 };
    let shown = 0;
    const show = (grapheme: string): string => {
      shown++;
      return grapheme;
    };
    const part = layOut(edit, { width: 17, around: 5, show });
    const whole = layOut(edit, { width: 17, around: Infinity });
    expect({ isLittle: shown < 1_000, row: whole.lines.slice(whole.row - 5, whole.row + 6) }).toEqual({
      isLittle: true,
      row: part.lines.slice(part.row - 5, part.row + 6),
    });
  });

  test('the cursor stays at the last and at the first line of a long text', () => {
    const { editor, lines } = typed(`\u001b[200~${'one\r'.repeat(9)}two\u001b[201~`);
    for (let count = 0; count < 20; count++) editor.key({ chord: 'up', text: '' });
    expect([lines, draw(editor)]).toEqual([
      ['  one', '  one', '  one', '  one', '  two'],
      { lines: ['> one', '  one', '  one', '  one', '  one'], cursor: { row: 0, column: 5 } },
    ]);
  });

  test('the editor reads key sequences that arrive in parts', () => {
    expect(typed('ab\u001b', '[D', 'x\u001b[200', '~y\u001b[2', '01~').lines).toEqual(['> axyb']);
  });
});
