import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { NamedSessions } from '../src/store/named-sessions.ts';
import { recordSchema, type SessionRecord } from '../src/store/session-record.ts';
import { sessionFixture } from './session-fixture.ts';

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

test('a record is as it was stored, and the nearest open session of an agent is found', async () => {
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

describe('an id', () => {
  test.each(['../../victim', '..', '/etc', 'a/b', '', 'x'.repeat(200)])('like %j becomes no path', async (id) => {
    const { sessions, victim } = await storeOfOne();
    for (const path of ['folderOf', 'lockOf'] as const)
      expect(() => sessions[path](id)).toThrow('cannot name an entry of');
    await expect(sessions.remove(id)).rejects.toThrow('cannot name an entry of');
    await expect(sessions.create(record(id))).rejects.toThrow('cannot name an entry of');
    expect(await readdir(victim)).toEqual(['work.txt']);
  });
});

test('a session is removed with its folder, and what a link in it leads to stays', async () => {
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
  await expect(sessions.read('good')).rejects.toThrow('the session good is not there any more');
});

describe('sessions of an earlier version', () => {
  /** Writes one as a file, as they were stored. */
  async function kept(state: string, id: string, text: string, history?: string): Promise<string> {
    const folder = join(state, 'turnwire', 'sessions', id);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'session.json'), text);
    if (history !== undefined) await writeFile(join(folder, 'history.jsonl'), history);
    return folder;
  }

  test('are carried over on first use, with what was said, and go on', async () => {
    const { run, state, project, agent: command } = await sessionFixture();
    // What the agent has of it was begun here as well.
    await run(['sessions', 'new', '--name', 'begun']);
    await run(['-s', 'begun', 'say before']);
    const { sessionId } = JSON.parse((await run(['sessions', 'show', 'begun', '--format', 'json'])).stdout) as {
      sessionId: string;
    };
    await run(['sessions', 'close', 'begun']);
    const old = record('old', { agent: { command }, cwd: project, sessionId, modeId: 'plan', lastPromptAt: now });
    const history = [
      { schema: 'turnwire.history.v1' },
      { at: 1, type: 'prompt', turnId: '1', content: [{ type: 'text', text: 'say before' }] },
      'torn',
      { at: 2, type: 'turn-ended', turnId: '1', stopReason: 'end_turn' },
      '{"at":',
    ];
    const lines = history.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
    const folder = await kept(state, 'old', JSON.stringify(old), lines.join('\n'));
    const read = await run(['sessions', 'read', '--format', 'quiet']);
    expect(read).toEqual({
      code: 0,
      stdout: '1970-01-01T00:00:00.001Z\tuser\tsay before\n',
      stderr: expect.stringMatching(
        /history\.jsonl: lines 3 cannot be read, or are too long, and are left out\n$/,
      ) as string,
    });
    expect([await run(['recall']), (await run(['settings'])).stdout]).toEqual([
      { code: 0, stdout: 'say before | recall\n', stderr: '' },
      'plan small\n',
    ]);
    expect(await readdir(folder)).toContain('session.json.carried-over');
  });

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
  ])('of which one %s block no other session, and are named with what to do', async (_, text, reason) => {
    const { bare, state } = await sessionFixture();
    const folder = await kept(state, 'bad', text);
    const listed = await bare(['sessions', 'list', '--local']);
    expect({ code: listed.code, stdout: listed.stdout }).toEqual({ code: 0, stdout: '' });
    expect([listed.stderr.includes(reason), listed.stderr.includes('prune --damaged')]).toEqual([true, true]);
    expect(await readFile(join(folder, 'session.json'), 'utf8')).toBe(text);
  });

  test.skipIf(process.platform === 'win32')('that are a pipe, a device or a folder are not waited for', async () => {
    const { bare, state } = await sessionFixture();
    const place = (id: string): string => join(state, 'turnwire', 'sessions', id);
    for (const id of ['pipe', 'device', 'folder']) await mkdir(place(id), { recursive: true });
    execFileSync('mkfifo', [join(place('pipe'), 'session.json')]);
    await symlink('/dev/zero', join(place('device'), 'session.json'));
    await mkdir(join(place('folder'), 'session.json'));
    const { code, stderr } = await bare(['sessions', 'list', '--local']);
    expect([code, stderr.match(/the session (\w+) of an earlier version/g)?.toSorted()]).toEqual([
      0,
      ['device', 'folder', 'pipe'].map((id) => `the session ${id} of an earlier version`),
    ]);
  });

  test('that cannot be carried over are deleted by prune --damaged, and nothing else is', async () => {
    const { bare, run, state, project } = await sessionFixture();
    const victim = join(project, 'victim');
    await mkdir(victim);
    await kept(state, 'empty', '');
    await kept(state, 'liar', JSON.stringify(record('../../../project/victim', { closedAt: now })));
    const damaged =
      /^(?:turnwire: the session (?:empty|liar) of an earlier version cannot be used: .* prune --damaged\n){2}$/;
    expect(await run(['sessions', 'ensure'])).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^[0-9a-f-]{36}\n$/) as string,
      stderr: expect.stringMatching(damaged) as string,
    });
    expect(await bare(['sessions', 'prune', '--older-than', '0'])).toMatchObject({
      code: 0,
      stdout: 'deleted 0 sessions\n',
    });
    const pruned = await bare(['sessions', 'prune', '--damaged', '--format', 'quiet']);
    expect({ ...pruned, stdout: pruned.stdout.trim().split('\n').toSorted() }).toEqual({
      code: 0,
      stdout: ['empty', 'liar'],
      stderr: '',
    });
    expect((await stat(victim)).isDirectory()).toBe(true);
    expect(await run(['say still here'])).toEqual({ code: 0, stdout: 'still here\n', stderr: '' });
  });
});
