import { expect, test } from 'vitest';
import { attachmentTitle, sessionTitle } from '../src/prompt/session-title.ts';

test('the title of a session is the first line of its first prompt, cut at a word', () => {
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

test('a session that begins without text is named after its attachment', () => {
  const image = { type: 'image', data: '', mimeType: 'image/png' } as const;
  const link = { type: 'resource_link', uri: 'file:///a/notes.txt', name: 'notes' } as const;
  expect([[image], [image, link], []].map(attachmentTitle)).toEqual(['An image', 'notes.txt', 'Attachments']);
});
