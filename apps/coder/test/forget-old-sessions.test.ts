import { mkdtemp, readdir, realpath, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sessionStore } from '@turnwire/agent/node';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { forgetOldSessions } from '../src/session/forget-old-sessions.ts';
import { until } from './coder-process.ts';
import { LoopFixture } from './loop-fixture.ts';
import { ScriptedModel } from './scripted-model.ts';

let folder: string;

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'coder-old-')));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const stored = async (place: string): Promise<readonly string[]> =>
  (await readdir(place)).filter((name) => name.endsWith('.jsonl')).toSorted();

/** Stores a session that was last used so many days ago. */
async function store(id: string, days: number): Promise<{ close(): Promise<void> }> {
  const header = { id, cwd: '/', additionalDirectories: [], createdAt: new Date(0).toISOString() };
  const journal = await sessionStore(folder).create(header);
  const time = new Date(Date.now() - days * 24 * 60 * 60 * 1000);
  await utimes(join(folder, `${id}.jsonl`), time, time);
  return journal;
}

test('unused sessions are deleted from every page of the list, and open ones stay', async () => {
  for (const [id, days] of Object.entries({ new: 0, week: 7, old: 31, older: 400 }))
    await (await store(id, days)).close();
  const open = await store('open', 40);
  await forgetOldSessions(sessionStore(folder, { pageSize: 1 }), 30);
  expect(await stored(folder)).toEqual(['new.jsonl', 'open.jsonl', 'week.jsonl']);
  await open.close();
});

test.each([
  ['the new one is left, where the user said so', '{ "keepSessionsDays": 0.000000001 }', '{}', 1],
  ['all are left, where nobody said so', '{}', '{}', 2],
  ['all are left, where only a project said so', '{}', '{ "keepSessionsDays": 0.000000001 }', 2],
])('when a session begins, %s', async (_, user, project, left) => {
  const header = { type: 'session', version: 1, id: 'old', cwd: '/', createdAt: '2020-01-01T00:00:00Z' };
  await using fixture = await LoopFixture.open({
    model: new ScriptedModel(),
    keeps: true,
    files: {
      '.config/turnwire/coder.json': user,
      '.turnwire/coder.json': project,
      '.sessions/old.jsonl': `${JSON.stringify(header)}\n`,
    },
  });
  await fixture.prompt('go');
  await until(async () => (await stored(join(fixture.folder, '.sessions'))).length === left);
  expect(await stored(join(fixture.folder, '.sessions'))).toHaveLength(left);
});
