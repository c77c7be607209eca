import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import iconv from 'iconv-lite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { decodeText } from '../src/workspace/text-encoding.ts';
import { ToolFixture } from './tool-fixture.ts';

const german = '// Größe der Fläche\nconst größe = "für alle Übungen";\n';
const polish = 'Zażółć gęślą jaźń. Wszystkie pliki są dostępne w katalogu głównym, proszę je przeczytać uważnie.\n';
const russian = 'Привет, мир. Этот файл описывает настройку системы и её параметры для всех пользователей.\n';
const japanese = 'これはテストファイルです。設定の方法を説明します。日本語の文章がここにあります。\n';
const french = 'L’élève doit répéter l’opération — jusqu’à ce que tout soit terminé.\n';

test.each([
  ['UTF-8', Buffer.from(german), 'utf-8', german],
  ['UTF-8 with a mark', Buffer.from(`\uFEFF${german}`), 'utf-8', german],
  ['UTF-16 little endian with a mark', Buffer.from(`\uFEFF${german}`, 'utf16le'), 'utf-16le', german],
  ['UTF-16 big endian with a mark', Buffer.from(`\uFEFF${german}`, 'utf16le').swap16(), 'utf-16be', german],
  ['Latin-1', iconv.encode(german, 'iso-8859-1'), 'ISO-8859-1', german],
  ['Windows-1252 with typographic signs', iconv.encode(french, 'windows-1252'), 'windows-1252', french],
  ['Shift JIS', iconv.encode(japanese, 'shift_jis'), 'Shift_JIS', japanese],
  ['ASCII', Buffer.from('a\n'), 'utf-8', 'a\n'],
  ['nothing', Buffer.from(''), 'utf-8', ''],
])('%s is read', async (_, bytes, name, text) => {
  const decoded = await decodeText(bytes);
  expect([decoded?.encoding.name, decoded?.text]).toEqual([name, text]);
});

test.each([
  ['windows-1251', `<?xml version="1.0" encoding="windows-1251"?>\n<a>${russian}</a>\n`],
  ['koi8-r', `# -*- coding: koi8-r -*-\nname = "${russian.trim()}"\n`],
  ['latin2', `<!doctype html><html><head><meta charset="latin2"></head><p>${polish}</p></html>\n`],
  ['shift_jis', `@charset "shift_jis";\n/* ${japanese.trim()} */\n`],
  ['latin1', `ä\n# vim: set fileencoding=latin1 :\n`],
])('a file that declares %s is read as such', async (name, text) => {
  const decoded = await decodeText(iconv.encode(text, name));
  expect(decoded).toEqual({ text, encoding: { name, mark: false } });
});

test.each([
  ['one letter that could be many', Buffer.from([0x61, 0xe9, 0x0a])],
  ['Russian that statistics are not sure of', iconv.encode(russian, 'windows-1251')],
  ['Japanese that looks like Chinese', iconv.encode(russian, 'euc-jp')],
  [
    'a sign of another encoding in a word',
    iconv.encode('const a = "für";\nconst b = 12;\nfunction hello() { return "x"; }\n', 'gbk'),
  ],
  ['NUL', Buffer.from('a\0b')],
  ['UTF-16 without a mark', Buffer.from('abc\n', 'utf16le')],
  ['half a character in UTF-16', Buffer.from([0xff, 0xfe, 0x00, 0xd8, 0x61, 0x00])],
  ['control characters', Buffer.from([0xe4, 0x01, 0x02, 0x03])],
  ['a declaration nobody knows', Buffer.concat([Buffer.from('# coding: klingon\n'), Buffer.from([0xe4])])],
  ['a declaration that is wrong', Buffer.concat([Buffer.from('# coding: euc-jp\n'), Buffer.from([0xe4, 0x20])])],
])('the encoding of %s is not guessed', async (_, bytes) => {
  expect(await decodeText(bytes)).toBeUndefined();
});

let fixture: ToolFixture;
let folder = '';

beforeEach(async () => {
  fixture = await ToolFixture.open();
  folder = await realpath(await mkdtemp(join(tmpdir(), 'encodings-')));
});

afterEach(async () => {
  await fixture[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

test.each([
  ['UTF-8 with a mark', (text: string) => Buffer.from(`\uFEFF${text}`)],
  ['UTF-16 little endian', (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le')],
  ['UTF-16 big endian', (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()],
  ['Latin-1', (text: string) => iconv.encode(text, 'iso-8859-1')],
])('%s is kept by edit and by write', async (_, encode) => {
  const at = join(fixture.folder, 'a.txt');
  await writeFile(at, encode(german));
  await fixture.use('read', { path: 'a.txt' });
  await fixture.use('edit', { path: 'a.txt', oldText: 'alle', newText: 'fröhliche' });
  expect(await readFile(at)).toEqual(encode(german.replace('alle', 'fröhliche')));
  await fixture.use('write', { path: 'a.txt', content: `${german}// süß\n` });
  expect(await readFile(at)).toEqual(encode(`${german}// süß\n`));
});

test("a character that the file's encoding lacks is refused", async () => {
  const at = join(fixture.folder, 'a.txt');
  const bytes = iconv.encode(german, 'iso-8859-1');
  await writeFile(at, bytes);
  const { text } = await fixture.use('read', { path: 'a.txt' });
  expect(text).toBe(`${german}[The encoding of the file is ISO-8859-1.]`);
  const change = { path: 'a.txt', oldText: 'alle', newText: 'всех' };
  await expect(fixture.use('edit', change)).rejects.toThrow(
    'The encoding of a.txt is ISO-8859-1, which lacks some characters of the new text; nothing was written. Use others, or convert the file first.',
  );
  expect(await readFile(at)).toEqual(bytes);
});

test.each(['a\0b', 'a\uD800b'])('%j is not text that can be written', async (content) => {
  await expect(fixture.use('write', { path: 'a.txt', content })).rejects.toThrow(
    'The new text contains NUL or half a character, which a text file cannot; nothing was written to a.txt.',
  );
});
