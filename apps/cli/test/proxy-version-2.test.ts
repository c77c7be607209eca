import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { until } from '../../coder/test/coder-process.ts';
import { drive, type Driven, output } from '../../coder/test/official-v2-driver.ts';
import { commandWords, plainEnvironment } from './command.ts';

let folder = '';
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'turnwire-proxy-v2-')));
  await writeFile(join(folder, 'notes.txt'), 'alpha\n');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** An editor of version 2 that starts `turnwire proxy` in the place of the agent. */
function driveProxy<Value>(work: (agent: Driven) => Promise<Value>): Promise<Value> {
  const env = { ...plainEnvironment, XDG_STATE_HOME: join(folder, 'state'), XDG_DATA_HOME: join(folder, 'data') };
  return drive({ words: [process.execPath, ...commandWords, '--cwd', folder, 'proxy'], env }, work);
}

test('an official client of version 2 has turns with an agent of version 1, and resumes the session in a new process', async () => {
  const { sessionId, messages } = await driveProxy(async ({ call, updates, asked, turn }) => {
    const { sessionId: id } = (await call('session/new', { cwd: folder })) as { readonly sessionId: string };
    const ends = [
      await turn(id, 'replace "alpha" with "beta" in notes.txt'),
      await turn(id, 'run echo from-the-command'),
    ];
    expect([
      ends,
      await readFile(join(folder, 'notes.txt'), 'utf8'),
      output(updates),
      asked.length,
      updates.filter(({ state }) => state).map(({ state }) => state),
    ]).toEqual([
      ['end_turn', 'end_turn'],
      'beta\n',
      'from-the-command\n',
      2,
      [...['running', 'requires_action', 'running', 'idle'], ...['running', 'requires_action', 'running', 'idle']],
    ]);
    return { sessionId: id, messages: updates.filter(({ sessionUpdate }) => sessionUpdate === 'user_message') };
  });
  await driveProxy(async ({ call, updates, turn }) => {
    await call('session/resume', { sessionId, cwd: folder, replayFrom: { type: 'start' } });
    // The official client handles an answer before the updates that came just before it.
    await until(() => updates.at(-1)?.['state'] === 'idle');
    expect([
      updates.filter(({ sessionUpdate }) => sessionUpdate === 'user_message'),
      updates.slice(-2).map(({ sessionUpdate }) => sessionUpdate),
      await turn(sessionId, 'read notes.txt'),
    ]).toEqual([messages, ['replay_complete', 'state_update'], 'end_turn']);
  });
});
