import { execFile } from 'node:child_process';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { mkdir, open, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { unprivileged } from '../../../packages/transports/test/unprivileged.ts';
import type { ToolResult } from '../src/tools/tool.ts';
import { calls, finishes, ScriptedModel, scriptedSession } from './scripted-model.ts';
import { ToolFixture } from './tool-fixture.ts';

let fixture: ToolFixture;
let file = '';

beforeEach(async () => {
  fixture = await ToolFixture.open();
  file = join(fixture.folder, 'a.txt');
});

afterEach(() => fixture[Symbol.asyncDispose]());

const read = (range: object = {}, path = 'a.txt'): Promise<ToolResult> => fixture.use('read', { path, ...range });

test.each([
  ['one\ntwo', {}, 'one\ntwo'],
  ['one\r\ntwo\r\n', {}, 'one\ntwo\n'],
  ['\uFEFFone\n', {}, 'one\n'],
  ['one\ntwo\nthree\n', { line: 2, limit: 1 }, 'two\n[Cut here: read on at line 3 of 3.]'],
  ['one\ntwo\nthree\n', { line: 3, limit: 1 }, 'three\n'],
  ['one\ntwo', { limit: 1 }, 'one\n[Cut here: read on at line 2 of 2.]'],
  ['\n', {}, '\n'],
  ['', {}, '[a.txt is empty.]'],
])('in %j, %j returns %j', async (content, range, text) => {
  await writeFile(file, content);
  expect(await read(range)).toEqual({ text });
});

test('a line past the end is refused', async () => {
  await writeFile(file, 'one\ntwo\n');
  await expect(read({ line: 3 })).rejects.toThrow('a.txt has 2 lines; line 3 is past its end.');
});

test('a long file is read in ranges, each with the line to continue from', async () => {
  await writeFile(file, Array.from({ length: 2500 }, (_, index) => `line ${index + 1}\n`).join(''));
  expect((await read()).text).toMatch(/^line 1\n[^]*line 2000\n\[Cut here: read on at line 2001 of 2500\.\]$/);
  expect((await read({ line: 2001 })).text).toMatch(/^line 2001\n[^]*line 2500\n$/);
});

test('lines are returned in full as long as they fit', async () => {
  await writeFile(file, `${'x'.repeat(50_000)}\n`.repeat(3));
  expect((await read()).text.replaceAll(/x+/g, (run) => `${run.length} x`)).toBe(
    '50000 x\n[Cut here: read on at line 2 of 3.]',
  );
});

test('a line too long to show is cut between characters', async () => {
  await writeFile(file, `x${'😀'.repeat(40_000)}\nnext\n`);
  expect((await read()).text.replace(/(?:😀)+/u, (run) => `${run.length / 2} faces`)).toBe(
    'x32767 faces\n[Cut here: line 1 continues, which only a command can show; read on at line 2 of 2.]',
  );
});

/** 32 MiB and some: 1,000,000 lines that tell their number, in the given encoding. */
async function writeHuge(encode: (text: string) => Uint8Array, mark: string = ''): Promise<void> {
  await using handle = await open(file, 'w');
  await handle.writeFile(encode(mark));
  for (let start = 1; start <= 1_000_000; start += 50_000) {
    const lines = Array.from({ length: 50_000 }, (_, index) => `line ${start + index} ${'é'.repeat(10)}\r\n`);
    await handle.writeFile(encode(lines.join('')));
  }
}

const utf16 = (text: string): Uint8Array => Buffer.from(text, 'utf16le');

test.each([
  ['UTF-8', (text: string) => Buffer.from(text), ''],
  ['UTF-16', utf16, '\uFEFF'],
])('a huge file in %s is read in ranges', async (_, encode, mark) => {
  await writeHuge(encode, mark);
  const tail = 'é'.repeat(10);
  expect((await read({ line: 1, limit: 1 })).text).toBe(`line 1 ${tail}\n[Cut here: read on at line 2.]`);
  expect((await read({ line: 999_999 })).text).toBe(`line 999999 ${tail}\nline 1000000 ${tail}\n`);
  await expect(read({ line: 1_000_001 })).rejects.toThrow('a.txt has 1000000 lines; line 1000001 is past its end.');
  const change = { path: 'a.txt', oldText: 'line 1 ', newText: '' };
  await expect(fixture.use('edit', change)).rejects.toThrow(
    /^a\.txt is \d+ bytes long; files beyond 16777216 can be read in ranges of lines, but not changed\./,
  );
});

test('a huge file without a line ending is read only as far as it is shown', async () => {
  await writeFile(file, 'x'.repeat(20 * 1024 * 1024));
  expect((await read()).text.replace(/x+/, (run) => `${run.length} x`)).toBe(
    '65536 x\n[Cut here: line 1 continues, which only a command can show; read on at line 2.]',
  );
});

test('a huge file that is not text is refused', async () => {
  await writeFile(file, Buffer.alloc(17 * 1024 * 1024));
  await expect(read()).rejects.toThrow(
    'a.txt is not a text file (binary, or text in an encoding that cannot be recognised for certain; 17825792 bytes).',
  );
});

const zip = Buffer.from('504b0304140000000800', 'hex');
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const gif = Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAA=', 'base64');
const webp = Buffer.from('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==', 'base64');
const jpeg = Buffer.from('/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////wgALCAABAAEBAREA/8QAFBAB', 'base64');

test('a binary file is reported with its type and size', async () => {
  await writeFile(file, zip);
  await expect(read()).rejects.toThrow(
    'a.txt is not a text file (application/zip; 10 bytes). Use a command for such files.',
  );
});

test.each([
  ['image/png', png],
  ['image/gif', gif],
  ['image/webp', webp],
  ['image/jpeg', jpeg],
])('an image of type %s is shown to the model and the user', async (mimeType, bytes) => {
  await writeFile(file, bytes);
  const data = bytes.toString('base64');
  expect(await read()).toEqual({
    text: `a.txt is an image (${mimeType}, ${bytes.length} bytes).`,
    content: [{ type: 'content', content: { type: 'image', mimeType, data } }],
    images: [{ mimeType, data }],
  });
});

test('an image too large for models is refused', async () => {
  await writeFile(file, Buffer.concat([png, Buffer.alloc(4 * 1024 * 1024)]));
  await expect(read()).rejects.toThrow(
    'a.txt is an image (image/png) of 4194374 bytes; the limit is 3932160. Make a smaller one with a command.',
  );
});

test('an image reaches the model as an image', async () => {
  const model = new ScriptedModel([calls('read', { path: 'a.png' }), finishes('tool-calls')]);
  await using session = await scriptedSession({ model });
  await writeFile(join(session.folder, 'a.png'), png);
  await session.prompt('look');
  const parts = model.asked
    .flatMap(({ prompt }) => prompt)
    .flatMap((message): readonly unknown[] => (message.role === 'system' ? [] : message.content));
  expect(parts).toContainEqual({ type: 'file', mediaType: 'image/png', data: png.toString('base64') });
});

test('pipes and devices are refused without opening them', async () => {
  await mkdir(join(fixture.folder, 'folder'));
  await promisify(execFile)('mkfifo', [join(fixture.folder, 'pipe')]);
  const server = createServer().listen(join(fixture.folder, 'socket'));
  await once(server, 'listening');
  try {
    await expect(read({}, 'folder')).rejects.toThrow('folder is a folder, not a file.');
    await expect(read({}, 'pipe')).rejects.toThrow('pipe is a named pipe, not a regular file.');
    await expect(read({}, 'socket')).rejects.toThrow('socket is a socket, not a regular file.');
  } finally {
    server.close();
  }
});

test('a file without read permission is refused', async () => {
  await writeFile(file, 'secret', { mode: 0 });
  await unprivileged(async () => {
    await expect(read()).rejects.toThrow(/^(?:a\.txt cannot be read: permission denied|.* \(EACCES\))/);
  });
});

test('a link is followed', async () => {
  await writeFile(file, 'one');
  await symlink('a.txt', join(fixture.folder, 'link'));
  expect(await read({}, 'link')).toEqual({ text: 'one' });
});

test('a missing file is reported with similar existing names', async () => {
  await writeFile(join(fixture.folder, 'A.md'), '');
  await expect(read()).rejects.toThrow('There is no file a.txt. There is A.md.');
});
