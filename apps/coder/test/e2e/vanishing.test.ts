import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { pidIn, untilEnded } from '../../../../packages/transports/test/process-life.ts';
import { CoderAtWork, CoderHome, coderCommand, modelAt } from './coder-home.ts';
import { calls, says, ScriptServer } from './script-server.ts';

const client = fileURLToPath(new URL('../fixtures/client-of-one-prompt.mjs', import.meta.url));
const long = { before: 'before\n'.repeat(100_000), after: 'after\n'.repeat(500_000) };

/** A turn under way, whose client is a process of its own. */
interface UnderWay {
  readonly client: ChildProcess;
  readonly agent: number;
  readonly sessionId: string;
}

async function begin(
  { work, env }: CoderHome,
  prompt: string,
  more: Readonly<Record<string, string>> = {},
): Promise<UnderWay> {
  const child = spawn(process.execPath, [client, work, prompt, '--', ...coderCommand], {
    env: { PATH: process.env['PATH'], ...env, ...more },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const { sessionId, pid } = JSON.parse(line) as { readonly sessionId: string; readonly pid: number };
  return { client: child, agent: pid, sessionId };
}

async function kill(pid: number | undefined): Promise<void> {
  if (pid === undefined) return;
  process.kill(pid, 'SIGKILL');
  await untilEnded(pid);
}

/** What the session is in another process: its calls, and whether it continues. */
async function loaded(
  home: CoderHome,
  sessionId: string,
): Promise<{ readonly calls: readonly string[]; readonly end: unknown }> {
  await using coder = await CoderAtWork.start(home, { TURNWIRE_CODER_MODEL: 'offline' }, sessionId);
  const { calls: recorded } = coder;
  await coder.session.configOptions?.set('model', 'offline');
  return { calls: recorded, end: await coder.prompt('list files') };
}

test('killing the client while a command runs ends the agent and the command, and the session can be loaded', async () => {
  await using home = await CoderHome.open();
  const turn = await begin(home, 'create a.txt with "A" then run (sleep 60 & echo $! > pid; wait)');
  const command = await pidIn(join(home.work, 'pid'));
  await kill(turn.client.pid);
  await untilEnded(turn.agent, command);
  expect([await loaded(home, turn.sessionId), await home.read('a.txt')]).toEqual([
    { calls: ['write completed', 'execute failed'], end: { stopReason: 'end_turn' } },
    'A',
  ]);
});

test('killing the client while a question is open leaves the call undone', async () => {
  await using home = await CoderHome.open({ files: { 'notes.txt': 'old\n' } });
  await using coder = await CoderAtWork.start(home);
  const asked = new Promise<void>((resolve) => {
    coder.user.decide = () => {
      resolve();
      return new Promise<never>(() => undefined);
    };
  });
  const turn = coder.session.prompt('delete notes.txt');
  turn.result.catch(() => undefined);
  await asked;
  await coder.agent.close();
  expect([await loaded(home, coder.session.id), await home.files()]).toEqual([
    { calls: ['delete failed'], end: { stopReason: 'end_turn' } },
    ['notes.txt'],
  ]);
});

/** A model that overwrites a long file. */
const overwrites = ScriptServer.start.bind(ScriptServer, ({ results }) =>
  results.length === 0
    ? calls('read', { path: 'long.txt', limit: 1 })
    : results.length === 1
      ? calls('write', { path: 'long.txt', content: long.after })
      : says('Done.'),
);

test.each(['client', 'agent'] as const)(
  'the %s killed in the middle of a write leaves a whole file',
  async (victim) => {
    await using server = await overwrites();
    await using home = await CoderHome.open({
      files: { 'long.txt': long.before },
      env: modelAt(server),
    });
    const watcher = watch(home.work);
    // The first that changes in the folder is the beginning of the write.
    const writing = once(watcher, 'change');
    const turn = await begin(home, 'Overwrite it.');
    await writing;
    watcher.close();
    await kill(victim === 'agent' ? turn.agent : turn.client.pid);
    await untilEnded(turn.agent);
    if (victim === 'agent') await kill(turn.client.pid);
    const text = await home.read('long.txt');
    expect(text === long.before || text === long.after, `a file of ${text.length} characters`).toBe(true);
    const { calls: recorded, end } = await loaded(home, turn.sessionId);
    expect([recorded[0], recorded[1]?.startsWith('write '), end]).toEqual([
      'read completed',
      true,
      { stopReason: 'end_turn' },
    ]);
  },
);
