import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { keyFile } from '../../src/keys/key-file.ts';
import { dropHeldKeys, holdKey, readKeys, removeKeys, saveKey } from '../../src/keys/key-store.ts';

let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keys-'));
  file = join(folder, 'turnwire', 'coder', 'keys.json');
});

afterEach(async () => {
  dropHeldKeys();
  await rm(folder, { recursive: true, force: true });
});

const modeOf = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8);

test('keys are stored in the data folder, which must be an absolute path', () => {
  expect(keyFile({ XDG_DATA_HOME: '/data' })).toBe('/data/turnwire/coder/keys.json');
  expect(keyFile({ XDG_DATA_HOME: 'data' })).toMatch(/\/\.local\/share\/turnwire\/coder\/keys\.json$/);
});

test('a stored key is readable for its owner alone, and no temporary file is left', async () => {
  expect(await readKeys(file)).toEqual({});
  expect(await saveKey('openai', ' sk-1\n', file)).toBe(file);
  await saveKey('anthropic', 'sk-2', file);
  expect(await readKeys(file)).toEqual({ openai: 'sk-1', anthropic: 'sk-2' });
  expect([await modeOf(file), await modeOf(dirname(file)), await readdir(dirname(file))]).toEqual([
    '600',
    '700',
    ['keys.json'],
  ]);
});

test('keys saved at the same time are all stored', async () => {
  const names = Array.from({ length: 10 }, (_, index) => `provider-${index}`);
  await Promise.all(names.map((name) => saveKey(name, `key-of-${name}`, file)));
  expect(Object.keys(await readKeys(file)).toSorted()).toEqual(names);
});

test('keys are deleted one by one or all at once', async () => {
  for (const name of ['a', 'b', 'c']) await saveKey(name, 'key', file);
  expect(await removeKeys('b', file)).toEqual(['b']);
  expect(await removeKeys('b', file)).toEqual([]);
  expect(await removeKeys(undefined, file)).toEqual(['a', 'c']);
  expect(await readFile(file, 'utf8')).toBe('{}\n');
});

test.each(['', '  ', 'two words', 'line\nbreak', 'schlüssel', 'x'.repeat(1025)])('%j is not a key', async (key) => {
  await expect(saveKey('openai', key, file)).rejects.toMatchObject({ code: 'invalid-input' });
  expect(await readKeys(file)).toEqual({});
});

test.each(['{"openai": "sk-secret"', '["sk-secret"]', '{"openai": {"key": "sk-secret"}}', ''])(
  'a key file with %j is reported without its content, and stays unchanged',
  async (content) => {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content, { mode: 0o600 });
    const attempts = [readKeys(file), saveKey('google', 'key', file), removeKeys(undefined, file)];
    for (const attempt of await Promise.allSettled(attempts))
      expect(attempt).toMatchObject({ status: 'rejected', reason: { code: 'invalid-input' } });
    await expect(readKeys(file)).rejects.not.toThrow(/sk-secret/);
    await expect(readKeys(file)).rejects.toThrow(`The file of keys ${file} `);
    expect(await readFile(file, 'utf8')).toBe(content);
  },
);

test('a key file that others can read is made private', async () => {
  await saveKey('openai', 'sk-1', file);
  await chmod(file, 0o644);
  expect(await readKeys(file)).toEqual({ openai: 'sk-1' });
  expect(await modeOf(file)).toBe('600');
});

test('a key file that is a link stays a link', async () => {
  const real = join(folder, 'elsewhere.json');
  await writeFile(real, '{}', { mode: 0o600 });
  await mkdir(dirname(file), { recursive: true });
  await symlink(real, file);
  await saveKey('openai', 'sk-1', file);
  expect(JSON.parse(await readFile(real, 'utf8'))).toEqual({ openai: 'sk-1' });
});

test('a key in memory takes precedence and is never written', async () => {
  await saveKey('openai', 'stored', file);
  holdKey('openai', 'held');
  expect(await readKeys(file)).toEqual({ openai: 'held' });
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ openai: 'stored' });
  expect([dropHeldKeys('google'), dropHeldKeys('openai'), await readKeys(file)]).toEqual([
    [],
    ['openai'],
    { openai: 'stored' },
  ]);
});
