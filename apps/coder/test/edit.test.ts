import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ToolResult } from '../src/tools/tool.ts';
import { ToolRoom } from './tool-room.ts';

let room: ToolRoom;
let folder = '';

beforeEach(async () => {
  room = await ToolRoom.open();
  folder = room.folder;
});

afterEach(() => room[Symbol.asyncDispose]());

const use = (name: string, input: object): Promise<ToolResult> => room.use(name, input);

async function edit(content: string, change: object): Promise<string> {
  await writeFile(join(folder, 'a.txt'), content);
  await use('edit', { path: 'a.txt', ...change });
  return readFile(join(folder, 'a.txt'), 'utf8');
}

test.each([
  ['one\ntwo\n', { oldText: 'two', newText: 'three' }, 'one\nthree\n'],
  ['one\r\ntwo\r\n', { oldText: 'one\ntwo', newText: 'three\nfour' }, 'three\r\nfour\r\n'],
  ['one\r\ntwo\r\n', { oldText: 'one', newText: 'zero\none' }, 'zero\r\none\r\ntwo\r\n'],
  ['\uFEFFone\n', { oldText: 'one', newText: 'two' }, '\uFEFFtwo\n'],
  ['a $& a', { oldText: 'a', newText: '$&', replaceAll: true }, '$& $& $&'],
  ['aaa', { oldText: 'aa', newText: 'b' }, 'ba'],
])('%j changes as told by %j', async (content, change, after) => {
  expect(await edit(content, change)).toBe(after);
});

const lines = 'function one() {\n    return 1;\n}\nconst Two = 2;\n';

test.each([
  ['return 1;\n}\nconst two', /line 2 differs from it in upper and lower case/],
  ['function one() {\n  return 1;', /line 1 differs from it only in white space/],
  ['const Two = 2;\nconst three = 3;', /its first line is on line 4, but what follows differs/],
  ['nothing like it', /the old text does not occur\. Read the file/],
  ['o', /occurs \d times \(lines 1, 1, 1, 4\)|occurs \d+ times/],
  ['return 1;', /the new text is the old text/],
])('%j cannot be replaced, and the message says what is there', async (oldText, reason) => {
  const newText = 'return 1;';
  await expect(edit(lines, { oldText, newText })).rejects.toThrow(reason);
  expect(await readFile(join(folder, 'a.txt'), 'utf8')).toBe(lines);
});

test('a change keeps the mode of the file and leaves nothing beside it', async () => {
  await writeFile(join(folder, 'run.sh'), 'echo one\n');
  await chmod(join(folder, 'run.sh'), 0o751);
  await use('edit', { path: 'run.sh', oldText: 'one', newText: 'two' });
  expect([(await stat(join(folder, 'run.sh'))).mode & 0o777, await readdir(folder)]).toEqual([0o751, ['run.sh']]);
});

test('what is not UTF-8 is not touched', async () => {
  const bytes = Buffer.from([0x61, 0xe9, 0x0a]);
  await writeFile(join(folder, 'latin.txt'), bytes);
  const change = { path: 'latin.txt', oldText: 'a', newText: 'b' };
  await expect(use('edit', change)).rejects.toThrow('latin.txt is binary or not UTF-8 text.');
  await expect(use('write', { path: 'latin.txt', content: '' })).rejects.toThrow('binary or not UTF-8');
  expect(await readFile(join(folder, 'latin.txt'))).toEqual(bytes);
});

test('a long file is read in ranges that say where to go on', async () => {
  const text = Array.from({ length: 2500 }, (_, index) => `line ${index + 1}\n`).join('');
  await writeFile(join(folder, 'long.txt'), text);
  const first = (await use('read', { path: 'long.txt' })).text;
  const second = (await use('read', { path: 'long.txt', line: 2001 })).text;
  expect(first).toMatch(/^line 1\n[^]*line 2000\n\[Cut here: read on at line 2001 of 2500\.\]$/);
  expect(second).toMatch(/^line 2001\n[^]*line 2500\n$/);
  await expect(use('read', { path: 'long.txt', line: 3000 })).rejects.toThrow('past its end');
});

test('a line too long to show is cut, and so is what it is part of', async () => {
  await writeFile(join(folder, 'wide.txt'), `${'x'.repeat(70_000)}\nnext\n`);
  const text = (await use('read', { path: 'wide.txt' })).text;
  expect(text.replace(/x+/, (run) => `${run.length} x`)).toBe(
    '65536 x\n[Cut here: the line goes on for 4465 characters; read on at line 2 of 2.]',
  );
});

test('a search that finds too much is cut and says so', async () => {
  await writeFile(join(folder, 'many.txt'), 'TODO\n'.repeat(1000));
  const result = await use('search', { text: 'TODO' });
  expect(result.rawOutput).toEqual({ matches: 200, cut: true });
  expect(result.text).toMatch(/many\.txt:200: TODO\n\[Cut here: more than 200 matches\./);
});

test('a text is searched as it is written, a regular expression when asked', async () => {
  await writeFile(join(folder, 'a.txt'), 'a.b\n-axb\n');
  expect((await use('search', { text: 'a.b' })).text).toBe('a.txt:1: a.b');
  expect((await use('search', { text: '-a' })).text).toBe('a.txt:2: -axb');
  expect((await use('search', { text: 'a.b', regex: true })).text).toBe('a.txt:1: a.b\na.txt:2: -axb');
  await expect(use('search', { text: '(', regex: true })).rejects.toThrow(/Search failed: .*regex/);
});

test('a command that prints without end is stopped in time, and the end of its output is kept', async () => {
  await expect(use('execute', { command: 'yes 0123456789', timeoutSeconds: 0.5 })).rejects.toThrow(
    /^Stopped: it ran longer than 0\.5 seconds\. The first \d{6,} characters of the output are left out\.\n[^]*0123456789$/,
  );
});
