import { expect, test } from 'vitest';
import { gitPatch } from '../../src/translation/git-patch.ts';
import { patchedTexts } from '../../src/translation/patched-texts.ts';

test.each([
  ['a changed file', '1\n2\n', '1\ntwo\n'],
  ['a file without a last line end', '1\n2', '1\n2\n3'],
  ['a new file', null, '1\n2\n'],
  ['a file whose lines look like headers', '--- a\n-- b\n', '++ c\n+++ d\n'],
  ['an emptied file', '1\n', ''],
])('the texts of %s come out of its patch', (_, oldText, newText) => {
  expect(patchedTexts(gitPatch('/w/a.txt', oldText ?? undefined, newText))).toEqual([
    { path: '/w/a.txt', oldText, newText },
  ]);
});

test('each hunk of each file is a part, and quoted names and times of files are read', () => {
  const patch = [
    ...[
      '--- "/w/\\303\\244\\"b"',
      '+++ "/w/\\303\\244\\"b"',
      '@@ -1 +1 @@',
      '-a',
      '+b',
      '@@ -9,0 +9 @@ function',
      '+c',
    ],
    ...['--- /w/gone\t2026-01-01', '+++ /dev/null', '@@ -1,2 +0,0 @@', '-a', '-b', ''],
  ].join('\n');
  expect(patchedTexts(patch)).toEqual([
    { path: '/w/ä"b', oldText: 'a\n', newText: 'b\n' },
    { path: '/w/ä"b', oldText: '', newText: 'c\n' },
    { path: '/w/gone', oldText: 'a\nb\n', newText: '' },
  ]);
  expect(patchedTexts('no patch')).toEqual([]);
});
