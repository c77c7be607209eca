import { expect, test } from 'vitest';
import { wrapColumns } from '../src/terminal/text-width.ts';

test('of a line with two columns the second one is broken, and its lines stay below each other', () => {
  const line = '  /undo     take back what the last turn changed in files';
  expect([wrapColumns(line, 40), wrapColumns(line, 24), wrapColumns('one two', 5)]).toEqual([
    ['  /undo     take back what the last turn', '            changed in files'],
    ['/undo     take back what', 'the last turn changed in', 'files'],
    ['one', 'two'],
  ]);
});
