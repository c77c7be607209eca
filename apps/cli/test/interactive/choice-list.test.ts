import { expect, test } from 'vitest';
import { ChoiceList } from '../../src/interactive/dialogs/choice-list.ts';
import { withTextMarked } from '../../src/interactive/found-text.ts';
import { coloured, plain } from '../../src/terminal/paint.ts';

test('the selected choice is shown completely, and the details of the others stay aligned', () => {
  const list = new ChoiceList([
    { label: 'ask', detail: 'asks before each change and each command', value: 1 },
    { label: 'a label that is longer than half', detail: 'some detail', value: 2 },
    { label: 'code', detail: 'never asks', value: 3 },
  ]);
  const draw = (): readonly string[] => list.draw({ columns: 44, rows: 6 }, { paint: plain, isNumbered: false });
  const first = draw();
  list.move({ chord: 'down', text: '' });
  expect([first, draw()]).toEqual([
    [
      '❯ ask',
      '      asks before each change and each',
      '      command',
      '  a label that is longe…  some detail',
      '  code                    never asks',
    ],
    [
      '  ask                     asks before each …',
      '❯ a label that is longer than half',
      '      some detail',
      '  code                    never asks',
    ],
  ]);
});

test('search results in the transcript are reversed across styles and links', () => {
  const line = `see \u001b[1mone T\u001b[22mwo\u001b]8;id=x;https://two.example/two\u0007 two\u001b]8;;\u0007`;
  expect(withTextMarked(line, 'two', coloured)).toBe(
    `see \u001b[1mone \u001b[7mT\u001b[27m\u001b[22m\u001b[7mwo\u001b[27m\u001b]8;id=x;https://two.example/two\u0007 \u001b[7mtwo\u001b[27m\u001b]8;;\u0007`,
  );
});
