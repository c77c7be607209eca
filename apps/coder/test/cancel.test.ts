import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CoderProcess, until } from './coder-process.ts';
import type { CoderSession } from './coder-process.ts';

let coder: CoderProcess;

beforeAll(async () => {
  coder = await CoderProcess.start();
});

afterAll(() => coder[Symbol.asyncDispose]());

/** Waits until a command has written its process id to `pid`. */
async function pidOf(session: CoderSession): Promise<number> {
  await until(async () => /^\d+\n$/.test(await session.read('pid').catch(() => '')));
  return Number(await session.read('pid'));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test('a cancel ends a running command and what it started, and the turn is cancelled', async () => {
  const session = await coder.open();
  const turn = session.prompt('run sleep 60 & echo $! > pid; wait then create after.txt with "x"');
  const pid = await pidOf(session);
  await session.cancel();
  const { stopReason, updates } = await turn;
  expect([stopReason, updates.at(-1)]).toEqual([
    'cancelled',
    {
      sessionUpdate: 'tool_call_update',
      toolCallId: 'id-1',
      status: 'failed',
      content: [{ type: 'content', content: { type: 'text', text: 'Cancelled while it ran.' } }],
    },
  ]);
  await until(() => !isAlive(pid));
  expect(await session.files()).toEqual(['pid']);
});

test('a command that ignores being asked is ended all the same', async () => {
  const session = await coder.open();
  const turn = session.prompt(`run trap "" TERM; sh -c 'trap "" TERM; echo $$ > pid; while :; do sleep 1; done'`);
  const pid = await pidOf(session);
  await session.cancel();
  expect((await turn).stopReason).toBe('cancelled');
  await until(() => !isAlive(pid));
});

test('what a command leaves running ends with it', async () => {
  const session = await coder.open();
  const { said } = await session.prompt('run sleep 60 & echo $! > pid');
  const pid = Number(await session.read('pid'));
  await until(() => !isAlive(pid));
  expect(said).toBe('Ran `sleep 60 & echo $! > pid`:\n\n```\nExit code 0.\n```');
});

test('the session goes on after a cancel', async () => {
  const session = await coder.open({ 'notes.txt': 'alpha\n' });
  const turn = session.prompt('run sleep 60');
  await until(() => session.updates.some((update) => 'status' in update && update.status === 'in_progress'));
  await session.cancel();
  await turn;
  expect((await session.prompt('read notes.txt')).said).toBe('`notes.txt`:\n\n```\nalpha\n```');
});

test('a cancel gives an open question up and nothing is done', async () => {
  const session = await coder.open({ 'notes.txt': 'alpha\n' });
  const asked = new Promise<void>((resolve) => {
    session.decide = async () => {
      resolve();
      await new Promise(() => undefined);
      return { outcome: { outcome: 'cancelled' } };
    };
  });
  const turn = session.prompt('delete notes.txt');
  await asked;
  await session.cancel();
  expect([(await turn).stopReason, await session.read('notes.txt')]).toEqual(['cancelled', 'alpha\n']);
});

test('overlapping prompts run one after the other', async () => {
  const session = await coder.open();
  const turns = await Promise.all([session.prompt('create a.txt with "1"'), session.prompt('move a.txt to b.txt')]);
  expect([turns.map(({ stopReason }) => stopReason), await session.files()]).toEqual([
    ['end_turn', 'end_turn'],
    ['b.txt'],
  ]);
});

test('running commands end with the agent when a signal ends it', async () => {
  await using own = await CoderProcess.start();
  const session = await own.open();
  const turn = session.prompt('run sleep 60 & echo $! > pid; wait').catch(() => 'gone');
  const pid = await pidOf(session);
  const exited = once(own.child, 'exit');
  own.child.kill('SIGTERM');
  expect([await exited, await turn]).toEqual([[143, null], 'gone']);
  await until(() => !isAlive(pid));
});

test('running commands end when the client goes away', async () => {
  await using own = await CoderProcess.start();
  const session = await own.open();
  const turn = session.prompt('run sleep 60 & echo $! > pid; wait').catch(() => 'gone');
  const pid = await pidOf(session);
  const exited = once(own.child, 'exit');
  await own.client.close();
  expect([await turn, await exited]).toEqual(['gone', [0, null]]);
  await until(() => !isAlive(pid));
});
