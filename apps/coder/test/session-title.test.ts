import { expect, test } from 'vitest';
import { sessionTitle } from '../src/conversation/session-title.ts';

test('a session is called what was asked first: one line of it, cut at a word', () => {
  expect(
    ['list files', '  find\tthe   bug \nin all of this', '', ` \n`, 'word '.repeat(20), 'x'.repeat(100)].map(
      sessionTitle,
    ),
  ).toEqual([
    'list files',
    'find the bug',
    undefined,
    undefined,
    'word word word word word word word word word word word word…',
    `${'x'.repeat(60)}…`,
  ]);
});
