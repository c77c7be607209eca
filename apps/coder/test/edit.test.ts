import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { toolbox } from '../src/tools/toolbox.ts';
import { ToolFixture } from './tool-fixture.ts';

let fixture: ToolFixture;
let file = '';

beforeEach(async () => {
  fixture = await ToolFixture.open();
  file = join(fixture.folder, 'a.txt');
});

afterEach(() => fixture[Symbol.asyncDispose]());

async function edit(content: string, change: object): Promise<string> {
  await writeFile(file, content);
  await fixture.use('read', { path: 'a.txt' });
  await fixture.use('edit', { path: 'a.txt', ...change });
  return readFile(file, 'utf8');
}

test.each([
  ['one\ntwo\n', { oldText: 'two', newText: 'three' }, 'one\nthree\n'],
  ['one\r\ntwo\r\n', { oldText: 'one\ntwo', newText: 'three\nfour' }, 'three\r\nfour\r\n'],
  ['one\r\ntwo\r\n', { oldText: 'one', newText: 'zero\none' }, 'zero\r\none\r\ntwo\r\n'],
  ['one\r\ntwo\r\n', { oldText: 'one\r\ntwo', newText: 'three\r\nfour' }, 'three\r\nfour\r\n'],
  ['one\ntwo\r\nthree\n', { oldText: 'one\ntwo\nthree', newText: 'one\nTWO\nthree' }, 'one\nTWO\nthree\n'],
  ['one\ntwo\r\nthree\n', { oldText: 'two\n', newText: 'two\nmore\n' }, 'one\ntwo\r\nmore\r\nthree\n'],
  ['one\ntwo\r\nthree\n', { oldText: 'two', newText: 'two\nmore' }, 'one\ntwo\r\nmore\r\nthree\n'],
  ['\uFEFFone\n', { oldText: 'one', newText: 'two' }, '\uFEFFtwo\n'],
  ['a $& a', { oldText: 'a', newText: '$&', replaceAll: true }, '$& $& $&'],
  ['aaa', { oldText: 'aa', newText: 'b' }, 'ba'],
  [
    'one two',
    {
      edits: [
        { oldText: 'two', newText: 'one' },
        { oldText: 'one', newText: 'two' },
      ],
    },
    'two one',
  ],
  ['one two', { edits: { oldText: 'two', newText: '2' } }, 'one 2'],
  ['one two', { edits: '[{"oldText":"one","newText":"1"},{"oldText":"two","newText":"2"}]' }, '1 2'],
  ['one two', { edits: '{"oldText":"one","newText":"1"}' }, '1 two'],
  [
    'a b a',
    {
      edits: [
        { oldText: 'a', newText: 'c', replaceAll: true },
        { oldText: 'b', newText: '' },
      ],
    },
    'c  c',
  ],
])('%j is edited as requested by %j', async (content, change, after) => {
  expect(await edit(content, change)).toBe(after);
});

const lines = 'function one() {\n    return 1;\n}\nconst Two = 2;\nreturn 2;\nreturn 2;\n';

test.each([
  [
    { oldText: 'const two', newText: '' },
    'the old text does not occur. Line 4 differs from it in upper and lower case.',
  ],
  [
    { oldText: 'return 2;', newText: '' },
    'the old text occurs 2 times (lines 5, 6). Include more of the surrounding text, or replace all.',
  ],
  [{ oldText: 'return 1;', newText: 'return 1;' }, 'the new text is the old text.'],
  [
    {
      edits: [
        { oldText: 'return 1;', newText: '' },
        { oldText: 'none', newText: '' },
      ],
    },
    'edit 2 of 2: the old text does not occur.',
  ],
  [
    {
      edits: [
        { oldText: '1;\n}', newText: '' },
        { oldText: 'return 1;', newText: '' },
      ],
    },
    'edits 2 and 1 change the same text. Combine them.',
  ],
])('%j is refused with the reason', async (change, reason) => {
  await expect(edit(lines, change)).rejects.toThrow(`Nothing was changed in a.txt: ${reason}`);
  expect(await readFile(file, 'utf8')).toBe(lines);
});

test.each([
  [{}, 'give either edits, or oldText and newText'],
  [{ oldText: 'a' }, 'give either edits, or oldText and newText'],
  [
    { oldText: 'a', newText: 'b', edits: [{ oldText: 'a', newText: 'b' }] },
    'give either edits, or oldText and newText',
  ],
  [{ edits: 'not JSON' }, 'at edits'],
  [{ edits: [] }, 'at edits'],
  [{ oldText: '', newText: 'b' }, 'at oldText'],
])('the input %j is refused', async (input, reason) => {
  await writeFile(file, 'a');
  await expect(fixture.use('edit', { path: 'a.txt', ...input })).rejects.toThrow(reason);
});

test('the schema describes edits as a list of objects', () => {
  const text = { type: 'string' };
  expect(toolbox.get('edit')?.inputSchema).toMatchObject({
    required: ['path'],
    properties: {
      path: text,
      edits: { type: 'array', items: { type: 'object', properties: { oldText: text, newText: text } } },
      oldText: text,
      newText: text,
      replaceAll: { type: 'boolean' },
    },
  });
});

test('an edit shows its exact change and location before it is made', async () => {
  await writeFile(file, 'one\r\ntwo\r\n');
  await fixture.use('read', { path: 'a.txt' });
  const { title, locations, preview, facts } = await fixture.prepare('edit', {
    path: 'a.txt',
    oldText: 'two',
    newText: '2',
  });
  expect({ title, locations, preview, facts }).toEqual({
    title: 'Edit a.txt',
    locations: [{ path: file, line: 2 }],
    preview: [{ type: 'diff', path: file, oldText: 'one\r\ntwo\r\n', newText: 'one\r\n2\r\n' }],
    facts: { paths: [file] },
  });
});

test('the result of an edit shows the new lines and those around them', async () => {
  await writeFile(file, Array.from({ length: 30 }, (_, index) => `line ${index + 1}\n`).join(''));
  await fixture.use('read', { path: 'a.txt' });
  const edits = [
    { oldText: 'line 2\n', newText: 'two\nand more\n' },
    { oldText: 'line 20', newText: 'twenty' },
    { oldText: 'line 22\n', newText: '' },
  ];
  expect(await fixture.use('edit', { path: 'a.txt', edits })).toEqual({
    text: `Replaced 3 occurrences in a.txt.
Lines 1 to 6 are now:
line 1
two
and more
line 3
line 4
line 5
Lines 18 to 26 are now:
line 17
line 18
line 19
twenty
line 21
line 23
line 24
line 25
line 26`,
    content: [],
  });
});

test('the diff of a large file shows only the changed lines and those around them', async () => {
  const content = Array.from({ length: 100_000 }, (_, index) => `line ${index + 1}\n`).join('');
  await writeFile(file, content);
  await fixture.use('read', { path: 'a.txt' });
  const { preview } = await fixture.prepare('edit', { path: 'a.txt', oldText: 'line 50000\n', newText: 'new\n' });
  const [diff] = preview ?? [];
  if (diff?.type !== 'diff') throw new Error('there is no diff');
  const excerpt = diff.oldText ?? '';
  expect([excerpt.length < 6000, content.includes(`\n${excerpt}`), diff.newText]).toEqual([
    true,
    true,
    excerpt.replace('line 50000\n', 'new\n'),
  ]);
});

test('an edit keeps the mode of the file and leaves no temporary file', async () => {
  await writeFile(file, 'echo one\n');
  await chmod(file, 0o751);
  await fixture.use('read', { path: 'a.txt' });
  await fixture.use('edit', { path: 'a.txt', oldText: 'one', newText: 'two' });
  expect([(await stat(file)).mode & 0o777, await readdir(fixture.folder)]).toEqual([0o751, ['a.txt']]);
});

test('the content of a file is recorded before an edit, so that it can be undone', async () => {
  await writeFile(file, 'one');
  await fixture.use('read', { path: 'a.txt' });
  const recorded: unknown[] = [];
  const record = fixture.turnFiles.recordPath.bind(fixture.turnFiles);
  fixture.turnFiles.recordPath = async (path) => {
    recorded.push([path, await readFile(path, 'utf8')]);
    return record(path);
  };
  await fixture.use('edit', { path: 'a.txt', oldText: 'one', newText: 'two' });
  expect([recorded, await readFile(file, 'utf8')]).toEqual([[[file, 'one']], 'two']);
});

test.each(['edit', 'write'])('%s does not change a file that is not text', async (tool) => {
  const bytes = Buffer.from([0x61, 0xe9, 0x0a]);
  await writeFile(file, bytes);
  const input = { edit: { oldText: 'a', newText: 'b' }, write: { content: '' } }[tool];
  await expect(fixture.use(tool, { path: 'a.txt', ...input })).rejects.toThrow(
    'a.txt is not a text file (binary, or text in an encoding that cannot be recognised for certain; 3 bytes).',
  );
  expect(await readFile(file)).toEqual(bytes);
});

test('a missing file is reported with a similar existing name', async () => {
  await writeFile(join(fixture.folder, 'Notes.md'), '');
  const change = { path: 'notes.txt', oldText: 'a', newText: 'b' };
  await expect(fixture.use('edit', change)).rejects.toThrow('There is no file notes.txt. There is Notes.md.');
});
