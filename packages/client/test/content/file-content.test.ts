import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { TurnwireError } from '@turnwire/protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fileContent, textContent } from '../../src/node/content/file-content.ts';

const all = { image: true, audio: true, embeddedContext: true };
let folder: string;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'turnwire-content-')));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function made(path: string, content: string | Uint8Array): Promise<string> {
  await writeFile(join(folder, path), content);
  return path;
}

function uri(path: string): string {
  return pathToFileURL(join(folder, path)).href;
}

const bytes = (hex: string): Buffer => Buffer.concat([Buffer.from(hex, 'hex'), Buffer.alloc(600)]);
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const samples = {
  'image/png': png,
  'image/jpeg': bytes('ffd8ffe000104a46494600010100'),
  'image/gif': bytes('474946383961010001008000'),
  'image/webp': bytes('524946465802000057454250565038'),
  'audio/wav': bytes('524946465802000057415645666d7420'),
  'audio/mpeg': bytes('fffb90640000'),
  'audio/ogg': bytes(`4f67675300020000${'00'.repeat(19)}134f70757348656164`),
  'audio/flac': bytes('664c614300000022'),
  'audio/aac': bytes('fff15080'),
};

test('images and sounds are recognised by their bytes and attached', async () => {
  for (const [mimeType, content] of Object.entries(samples)) {
    const path = await made('misnamed.txt', content);
    const data = content.toString('base64');
    const expected = mimeType.startsWith('image')
      ? { type: 'image', data, mimeType, uri: uri(path) }
      : { type: 'audio', data, mimeType };
    expect(await fileContent(path, all, { cwd: folder })).toEqual(expected);
  }
});

test('without the capability, or above the limit, they become links', async () => {
  for (const [mimeType, content] of Object.entries(samples)) {
    const path = await made('misnamed.txt', content);
    const link = { type: 'resource_link', uri: uri(path), name: path, mimeType, size: content.length };
    const encoded = content.toString('base64').length;
    expect([
      await fileContent(path, { embeddedContext: true }, { cwd: folder }),
      await fileContent(path, undefined, { cwd: folder }),
      await fileContent(path, all, { cwd: folder, mediaLimit: encoded - 1 }),
      (await fileContent(path, all, { cwd: folder, mediaLimit: encoded })).type,
    ]).toEqual([link, link, link, mimeType.split('/')[0]]);
  }
});

test('text is embedded with the media type of its extension', async () => {
  const types = {
    'a.ts': 'text/plain',
    'a.md': 'text/markdown',
    'a.json': 'application/json',
    'a b': 'text/plain',
    'a.rs': 'text/plain',
  };
  for (const [path, mimeType] of Object.entries(types)) {
    await made(path, '\uFEFFBM €\n');
    expect([await fileContent(path, all, { cwd: folder }), await fileContent(join(folder, path), null)]).toEqual([
      { type: 'resource', resource: { uri: uri(path), text: '\uFEFFBM €\n', mimeType } },
      { type: 'resource_link', uri: uri(path), name: path, mimeType, size: 10 },
    ]);
  }
});

test('SVG is an image for agents that understand images, and text for others', async () => {
  const text = '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"/>';
  const path = await made('a.svg', text);
  const mimeType = 'image/svg+xml';
  expect([
    await fileContent(path, all, { cwd: folder }),
    await fileContent(path, { embeddedContext: true }, { cwd: folder }),
  ]).toEqual([
    { type: 'image', data: Buffer.from(text).toString('base64'), mimeType, uri: uri(path) },
    { type: 'resource', resource: { uri: uri(path), text, mimeType } },
  ]);
});

test('long texts, other formats and folders become links', async () => {
  await made('long.txt', '€'.repeat(2000));
  await made('other', bytes('00010203'));
  await made('late', `${'a'.repeat(5000)}\0`);
  await made('a.pdf', Buffer.from('%PDF-1.7\n%\xE2\xE3\xCF\xD3\n', 'latin1'));
  await made('huge', '');
  await truncate(join(folder, 'huge'), 2 ** 31);
  await mkdir(join(folder, 'sub folder'), { recursive: true });
  const link = (name: string, rest: object): object => ({ type: 'resource_link', uri: uri(name), name, ...rest });
  expect(
    await Promise.all(
      ['long.txt', 'other', 'late', 'a.pdf', 'huge', 'sub folder'].map((path) =>
        fileContent(path, all, { cwd: folder, textLimit: 5999 }),
      ),
    ),
  ).toEqual([
    link('long.txt', { mimeType: 'text/plain', size: 6000 }),
    link('other', { size: 604 }),
    link('late', { size: 5001 }),
    link('a.pdf', { mimeType: 'application/pdf', size: 15 }),
    link('huge', { size: 2 ** 31 }),
    { type: 'resource_link', uri: `${uri('sub folder')}/`, name: 'sub folder', mimeType: 'inode/directory' },
  ]);
});

test.skipIf(process.platform === 'win32')('a file that cannot be attached is reported', async () => {
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  await symlink('loop', join(folder, 'loop'));
  await made('plain', 'x');
  const said = (path: string, cwd?: string): Promise<unknown> =>
    fileContent(path, all, { cwd }).catch((error: unknown) =>
      error instanceof TurnwireError ? [error.code, error.message.replaceAll(folder, '…')] : error,
    );
  expect([
    await said('none', folder),
    await said('plain/x', folder),
    await said('pipe', folder),
    await said('loop', folder),
    await said('plain'),
    await said('', folder),
    await said('a\0b', folder),
  ]).toEqual(
    [
      '…/none cannot be attached: there is no such file. Check its name, and the folder it is relative to.',
      '…/plain/x cannot be attached: a part of the path is a file, not a folder.',
      '…/pipe cannot be attached: it is a pipe, a socket or a device. Only files and folders can be attached.',
      '…/loop cannot be attached: it is a symbolic link in a cycle.',
      'plain cannot be attached: the path is relative, and no working directory was given. Use an absolute path.',
      '"" cannot be attached: it is not a path.',
      '"a\\u0000b" cannot be attached: it is not a path.',
    ].map((message) => ['invalid-input', message]),
  );
});

test('text has a block of its own', () => {
  expect(textContent('hello')).toEqual({ type: 'text', text: 'hello' });
});
