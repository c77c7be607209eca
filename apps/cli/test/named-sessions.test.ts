import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { NamedSessions } from '../src/store/named-sessions.ts';
import { recordSchema, type SessionRecord } from '../src/store/session-record.ts';

const agent = { name: 'coder' };
const now = '2026-01-02T03:04:05.000Z';

function record(id: string, more: Partial<SessionRecord> = {}): SessionRecord {
  return { schema: recordSchema, id, agent, cwd: '/project', createdAt: now, lastUsedAt: now, settings: {}, ...more };
}

/** A store with one session, beside a folder that is none of its business. */
async function storeOfOne(): Promise<{ readonly sessions: NamedSessions; readonly victim: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'turnwire-store-'));
  const victim = join(folder, 'victim');
  await mkdir(victim);
  await writeFile(join(victim, 'work.txt'), 'work of years');
  const sessions = new NamedSessions(join(folder, 'state'));
  onTestFinished(async () => {
    await sessions[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });
  await sessions.create(record('good'));
  return { sessions, victim };
}

test('a record is read as it was stored, and the nearest open session of an agent is found', async () => {
  const { sessions } = await storeOfOne();
  const full = record('full', {
    name: 'api',
    title: 'Tidy up',
    cwd: '/elsewhere',
    settings: { model: 'large', additionalDirectories: ['/more'], env: ['KEY'] },
    isImported: true,
  });
  await sessions.create(full);
  await sessions.create(record('closed', { cwd: '/closed', closedAt: now }));
  expect({
    full: await sessions.read('full'),
    found: (await sessions.find({ agent, cwd: '/elsewhere', name: 'api' }))?.id,
    other: await sessions.find({ agent: { command: 'coder' }, cwd: '/project' }),
    closed: await sessions.find({ agent, cwd: '/closed' }),
  }).toEqual({ full, found: 'full', other: undefined, closed: undefined });
});

describe('ids of sessions as paths', () => {
  test.each(['../../victim', '..', '/etc', 'a/b', '', 'x'.repeat(200)])(
    'a session id like %j is never used as a path',
    async (id) => {
      const { sessions, victim } = await storeOfOne();
      for (const path of ['folderOf', 'lockOf'] as const)
        expect(() => sessions[path](id)).toThrow('cannot name an entry of');
      await expect(sessions.remove(id)).rejects.toThrow('cannot name an entry of');
      await expect(sessions.create(record(id))).rejects.toThrow('cannot name an entry of');
      expect(await readdir(victim)).toEqual(['work.txt']);
    },
  );
});

test('removing a session deletes its folder, but not the target of a link in it', async () => {
  const { sessions, victim } = await storeOfOne();
  await symlink(victim, join(sessions.folderOf('good'), 'link'));
  await symlink(victim, sessions.folderOf('linked'));
  await sessions.remove('good');
  await sessions.remove('linked');
  expect([await sessions.list(), await readdir(sessions.sessionsFolder), await readdir(victim)]).toEqual([
    [],
    [],
    ['work.txt'],
  ]);
  await expect(sessions.read('good')).rejects.toThrow('the session good no longer exists');
});
