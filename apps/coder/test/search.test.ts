import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ToolFixture } from './tool-fixture.ts';

let fixture: ToolFixture;

beforeEach(async () => {
  fixture = await ToolFixture.open();
});

afterEach(() => fixture[Symbol.asyncDispose]());

async function put(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(fixture.folder, path)), { recursive: true });
    await writeFile(join(fixture.folder, path), content);
  }
}

async function search(input: object): Promise<readonly string[]> {
  return (await fixture.use('search', input)).text.split('\n');
}

test('a search returns path, line and text, with context lines on request', async () => {
  await put({ 'a.ts': 'one\n  two\nthree\nfour\nfive\n  two\n', 'b.ts': 'Two\n' });
  expect(await search({ text: 'two' })).toEqual(['a.ts:2:   two', 'a.ts:6:   two']);
  expect(await search({ text: 'two', ignoreCase: true, filesOnly: true })).toEqual(['a.ts', 'b.ts']);
  expect(await search({ text: 'two', context: 1 })).toEqual([
    'a.ts-1- one',
    'a.ts:2:   two',
    'a.ts-3- three',
    '--',
    'a.ts-5- five',
    'a.ts:6:   two',
  ]);
  expect(await search({ text: 'one\n  two' })).toEqual(['a.ts:1: one', 'a.ts:2:   two']);
  expect(await search({ text: 'two', glob: ['*.ts', '!a.*'], ignoreCase: true })).toEqual(['b.ts:1: Two']);
  expect(await search({ text: 'nothing of it' })).toEqual(['No matches for nothing of it.']);
});

test('installed packages are searched and listed only by their own path', async () => {
  await put({ 'a.ts': 'two\n', 'node_modules/b/b.ts': 'two\n', 'lib/node_modules/c.ts': 'two\n' });
  const list = async (input: object): Promise<string> => (await fixture.use('list', input)).text;
  expect({
    found: await search({ text: 'two' }),
    foundThere: await search({ text: 'two', path: 'node_modules' }),
    listed: await list({}),
    listedThere: await list({ path: 'lib/node_modules' }),
  }).toEqual({
    found: ['a.ts:1: two'],
    foundThere: ['node_modules/b/b.ts:1: two'],
    listed: 'a.ts',
    listedThere: 'lib/node_modules/c.ts',
  });
});

test('a text is matched literally, and as a regular expression only on request', async () => {
  await put({ 'a.txt': 'f(x) = a.b\nfx = acb\n[a-c]+\n' });
  expect(await search({ text: 'a.b' })).toEqual(['a.txt:1: f(x) = a.b']);
  expect(await search({ text: 'a.b', regex: true })).toEqual(['a.txt:1: f(x) = a.b', 'a.txt:2: fx = acb']);
  expect(await search({ text: 'f(x)' })).toEqual(['a.txt:1: f(x) = a.b']);
  expect(await search({ text: 'f(x)', regex: true })).toEqual(['a.txt:2: fx = acb']);
  expect(await search({ text: '[a-c]+' })).toEqual(['a.txt:3: [a-c]+']);
  await expect(search({ text: 'f(x', regex: true })).rejects.toThrow('f(x');
  expect(await search({ text: 'f(x' })).toEqual(['a.txt:1: f(x) = a.b']);
  await expect(search({ text: '(?=a)', regex: true })).rejects.toThrow(/not supported$/);
});

test('a text of several lines is found with any line ending', async () => {
  await put({
    'dos.txt': 'if (a.b) {\r\n  go();\r\n}\r\n',
    'unix.txt': 'if (a.b) {\n  go();\n}\n',
    'x.txt': 'if (a_b) {\n  go();',
  });
  const found = ['dos.txt:1: if (a.b) {', 'dos.txt:2:   go();', 'unix.txt:1: if (a.b) {', 'unix.txt:2:   go();'];
  expect(await search({ text: 'if (a.b) {\n  go();' })).toEqual(found);
  expect(await search({ text: 'if (a.b) {\r\n  GO();', ignoreCase: true })).toEqual(found);
});

test('further matches are returned with an offset, none lost or repeated', async () => {
  await put({ 'a.txt': 'hit\n'.repeat(250), 'b.txt': 'hit\n'.repeat(250) });
  const pages = [
    await search({ text: 'hit' }),
    await search({ text: 'hit', offset: 200 }),
    await search({ text: 'hit', offset: 400 }),
  ];
  expect(pages.map((page) => page.at(-1))).toEqual([
    '[Cut here: more than 200 matches. For the next ones: offset 200. Or search for a rarer text.]',
    '[Cut here: more than 200 matches. For the next ones: offset 400. Or search for a rarer text.]',
    'b.txt:250: hit',
  ]);
  const all = pages.flat().filter((line) => !line.startsWith('['));
  expect(new Set(all).size).toBe(500);
  expect(await search({ text: 'hit', offset: 500 })).toEqual(['No more matches: there are 500.']);
  expect(await search({ text: 'hit', filesOnly: true, offset: 1 })).toEqual(['b.txt']);
});

test('a long line is shown around its match', async () => {
  await put({ 'min.js': `${'x'.repeat(5_000_000)}needle${'y'.repeat(5_000_000)}` });
  expect(await search({ text: 'needle' })).toEqual([`min.js:1: …${'x'.repeat(100)}needle${'y'.repeat(194)}…`]);
});

test('files that rules deny are not shown, with a note', async () => {
  await put({ 'secret.txt': 'key\n', 'open.txt': 'key\n' });
  fixture.forbidden.set(join(fixture.folder, 'secret.txt'), 'denied');
  expect(await search({ text: 'key' })).toEqual(['open.txt:1: key', '[Left out by permission rules: one file.]']);
  expect((await fixture.use('list', {})).text).toBe('open.txt\n[Left out by permission rules: one file.]');
});

test('a name with control characters stays on its line', async () => {
  await put({ 'a\nb\u001B[31m.txt': 'key\n' });
  expect(await search({ text: 'key' })).toEqual([String.raw`"a\nb\u001b[31m.txt":1: key`]);
  expect((await fixture.use('list', {})).text).toBe(String.raw`"a\nb\u001b[31m.txt"`);
});

test('binary and vanished files are refused by name', async () => {
  await put({ 'data.bin': 'key\0' });
  await expect(search({ text: 'key', path: 'data.bin' })).rejects.toThrow('data.bin is binary; nothing was searched.');
  await rm(join(fixture.folder, 'data.bin'));
  await expect(search({ text: 'key', path: 'data.bin' })).rejects.toThrow('There is no file or folder data.bin.');
});

test('a list takes a pattern, and continues where it was cut', async () => {
  const names = Array.from({ length: 1002 }, (_, index) => `f${String(index).padStart(4, '0')}.txt`);
  await put({ ...Object.fromEntries(names.map((name) => [name, ''])), 'src/x.ts': '' });
  expect((await fixture.use('list', { pattern: '*.ts' })).text).toBe('src/x.ts');
  const first = (await fixture.use('list', {})).text.split('\n');
  const rest = (await fixture.use('list', { offset: 1000 })).text.split('\n');
  expect([first.length, first.at(-1), rest]).toEqual([
    1001,
    '[Cut here: more than 1000 files. For the next ones: offset 1000.]',
    ['f1000.txt', 'f1001.txt', 'src/x.ts'],
  ]);
  expect((await fixture.use('list', { pattern: '*.rs' })).text).toBe('No files that fit *.rs.');
});
