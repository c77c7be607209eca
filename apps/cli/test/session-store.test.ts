import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { recordSchema, type SessionRecord } from '../src/store/session-record.ts';
import { DamagedRecord, SessionStore } from '../src/store/session-store.ts';
import { sessionFixture } from './session-fixture.ts';

const agent = { name: 'coder' };
const now = '2026-01-02T03:04:05.000Z';

function record(id: string, more: Partial<SessionRecord> = {}): SessionRecord {
  return { schema: recordSchema, id, agent, cwd: '/project', createdAt: now, lastUsedAt: now, settings: {}, ...more };
}

/** A store with one session, in a folder that also holds something that is none of its business. */
async function storeOfOne(): Promise<{ readonly store: SessionStore; readonly victim: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'turnwire-store-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const victim = join(folder, 'victim');
  await mkdir(victim);
  await writeFile(join(victim, 'work.txt'), 'work of years');
  const store = new SessionStore(join(folder, 'state'));
  await store.write(record('good'));
  return { store, victim };
}

async function broken(store: SessionStore, id: string, text: string): Promise<void> {
  await mkdir(store.folderOf(id), { recursive: true });
  await writeFile(store.recordOf(id), text);
}

describe('a record that cannot be read', () => {
  test.each([
    ['is empty', '', 'it is not JSON (Unexpected end of JSON input)'],
    ['is cut off', '{"schema": "turnwire.session.v1"', 'it is not JSON'],
    ['is of a later version', '{"schema":"turnwire.session.v9"}', 'its schema is "turnwire.session.v9"'],
    ['has another id', JSON.stringify(record('other')), 'its id is "other", and the folder it is in is named bad'],
    [
      'has an id that leads elsewhere',
      JSON.stringify(record('../../victim', { closedAt: now })),
      'its id is "../../victim", and the folder it is in is named bad',
    ],
  ])('and %s blocks no other session, and is listed with what to do', async (_, text, reason) => {
    const { store } = await storeOfOne();
    await broken(store, 'bad', text);
    const { records, damaged } = await store.list();
    const told: string[] = [];
    const found = await store.find({ agent, cwd: '/project' }, ({ id }) => told.push(id));
    const other = await store.find({ agent, cwd: '/elsewhere' }, ({ id }) => told.push(id));
    expect({ records, found, other, told }).toEqual({
      records: [record('good')],
      found: record('good'),
      other: undefined,
      told: ['bad'],
    });
    expect(
      damaged.map(({ id, message }) => [id, message.includes(reason), message.includes('prune --damaged')]),
    ).toEqual([['bad', true, true]]);
    expect(await readFile(store.recordOf('bad'), 'utf8')).toBe(text);
  });

  test.skipIf(process.platform === 'win32')('is a pipe, a device or a folder, and nobody waits for it', async () => {
    const { store } = await storeOfOne();
    for (const id of ['pipe', 'device', 'folder']) await mkdir(store.folderOf(id));
    execFileSync('mkfifo', [store.recordOf('pipe')]);
    await symlink('/dev/zero', store.recordOf('device'));
    await mkdir(store.recordOf('folder'));
    const { records, damaged } = await store.list();
    expect([records, damaged.map(({ id }) => id).toSorted()]).toEqual([[record('good')], ['device', 'folder', 'pipe']]);
  });

  test('is none of what is not named like a session', async () => {
    const { store } = await storeOfOne();
    await mkdir(join(store.folder, 'sessions', '.hidden'));
    await writeFile(join(store.folder, 'sessions', '.hidden', 'session.json'), '');
    await writeFile(join(store.folder, 'sessions', 'notes.txt'), '');
    expect(await store.list()).toEqual({ records: [record('good')], damaged: [] });
  });
});

describe('an id', () => {
  test.each(['../../victim', '..', '/etc', 'a/b', '', 'x'.repeat(200)])('like %j becomes no path', async (id) => {
    const { store, victim } = await storeOfOne();
    for (const path of ['folderOf', 'historyOf', 'recordOf', 'lockOf'] as const)
      expect(() => store[path](id)).toThrow('cannot name an entry of');
    await expect(store.remove(id)).rejects.toThrow('cannot name an entry of');
    await expect(store.write(record(id))).rejects.toThrow('cannot name an entry of');
    expect(await readdir(victim)).toEqual(['work.txt']);
  });
});

test('a session is removed with its history, and what a link in it leads to stays', async () => {
  const { store, victim } = await storeOfOne();
  await writeFile(store.historyOf('good'), '');
  await symlink(victim, join(store.folderOf('good'), 'link'));
  await symlink(victim, store.folderOf('linked'));
  await store.remove('good');
  await store.remove('linked');
  expect([await readdir(join(store.folder, 'sessions')), await readdir(victim)]).toEqual([[], ['work.txt']]);
});

test('a damaged record is the store’s own error', async () => {
  const { store } = await storeOfOne();
  await broken(store, 'bad', '');
  expect(() => store.read('bad')).toThrow(DamagedRecord);
  expect(() => store.read('missing')).toThrow('the session missing is not there any more');
});

test('commands go on beside a damaged session, and prune deletes what it was told to and nothing else', async () => {
  const { bare, run, state, project } = await sessionFixture();
  const store = new SessionStore(join(state, 'turnwire'));
  const victim = join(project, 'victim');
  await mkdir(victim);
  await broken(store, 'empty', '');
  const id = '../../../project/victim';
  await broken(store, 'liar', JSON.stringify(record(id, { closedAt: now })));
  const damaged = /^(?:turnwire: the session (?:empty|liar) cannot be used: .* prune --damaged\n){2}$/;
  const begun = await run(['sessions', 'ensure']);
  expect(begun).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^[0-9a-f-]{36}\n$/),
    stderr: expect.stringMatching(damaged),
  });
  expect(await run(['sessions', 'ensure'])).toMatchObject({ code: 0, stderr: '' });
  expect(await bare(['sessions', 'prune', '--older-than', '0'])).toEqual({
    code: 0,
    stdout: 'deleted 0 sessions\n',
    stderr: expect.stringMatching(damaged),
  });
  expect([(await stat(victim)).isDirectory(), (await store.list()).damaged.length]).toEqual([true, 2]);
  const pruned = await bare(['sessions', 'prune', '--damaged', '--format', 'quiet']);
  expect({ ...pruned, stdout: pruned.stdout.trim().split('\n').toSorted() }).toEqual({
    code: 0,
    stdout: ['empty', 'liar'],
    stderr: '',
  });
  expect([(await stat(victim)).isDirectory(), (await store.list()).damaged.length]).toEqual([true, 0]);
  expect((await run(['say still here'])).stdout).toBe('still here\n');
});
