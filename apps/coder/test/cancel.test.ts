import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pidIn, untilEnded } from '../../../packages/transports/test/process-life.ts';
import { CoderProcess, until } from './coder-process.ts';

let coder: CoderProcess;

beforeAll(async () => {
  coder = await CoderProcess.start();
});

afterAll(() => coder[Symbol.asyncDispose]());

test('a cancel ends a running command with all processes it started, and the turn is cancelled', async () => {
  const session = await coder.open();
  const turn = session.prompt('run sleep 60 & echo $! > pid; wait then create after.txt with "x"');
  const pid = await pidIn(join(session.folder, 'pid'));
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
  await untilEnded(pid);
  expect(await session.files()).toEqual(['pid']);
});

test('the output of a cancelled command is kept for the user and the model', async () => {
  const session = await coder.open();
  const turn = session.prompt('run echo one; echo $$ > pid; exec sleep 60');
  await pidIn(join(session.folder, 'pid'));
  await session.cancel();
  const { updates } = await turn;
  expect(updates.at(-1)).toMatchObject({
    status: 'failed',
    content: ['one\n', 'Cancelled while it ran.'].map((text) => ({ type: 'content', content: { type: 'text', text } })),
  });
});

test('a command that ignores SIGTERM is killed', async () => {
  const session = await coder.open();
  const turn = session.prompt(`run trap "" TERM; sh -c 'trap "" TERM; echo $$ > pid; while :; do sleep 1; done'`);
  const pid = await pidIn(join(session.folder, 'pid'));
  await session.cancel();
  expect((await turn).stopReason).toBe('cancelled');
  await untilEnded(pid);
});

test('processes that a command leaves running end with it', async () => {
  const session = await coder.open();
  const { said } = await session.prompt('run sleep 60 & echo $! > pid');
  const pid = await pidIn(join(session.folder, 'pid'));
  await untilEnded(pid);
  expect(said).toBe('Ran `sleep 60 & echo $! > pid`:\n\n```\nExit code 0.\n```');
});

test('the session continues after a cancel', async () => {
  const session = await coder.open({ 'notes.txt': 'alpha\n' });
  const turn = session.prompt('run sleep 60');
  await until(() => session.updates.some((update) => 'status' in update && update.status === 'in_progress'));
  await session.cancel();
  await turn;
  expect((await session.prompt('read notes.txt')).said).toBe('`notes.txt`:\n\n```\nalpha\n```');
});

test('a cancel withdraws an open question, and nothing is done', async () => {
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
  const pid = await pidIn(join(session.folder, 'pid'));
  const exited = once(own.child, 'exit');
  own.child.kill('SIGTERM');
  expect([await exited, await turn]).toEqual([[143, null], 'gone']);
  await untilEnded(pid);
});

test('running commands end when the client disconnects', async () => {
  await using own = await CoderProcess.start();
  const session = await own.open();
  const turn = session.prompt('run sleep 60 & echo $! > pid; wait').catch(() => 'gone');
  const pid = await pidIn(join(session.folder, 'pid'));
  const exited = once(own.child, 'exit');
  await own.client.close();
  expect([await turn, await exited]).toEqual(['gone', [0, null]]);
  await untilEnded(pid);
});
