import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { optionOfKind, type Turn } from '@turnwire/client';
import type { SessionUpdate } from '@turnwire/protocol';
import { expect, test } from 'vitest';
import { until } from '../coder-process.ts';
import { chat, FaultServer, saysNothing, streams } from '../fault-server.ts';
import { callsIn, CoderAtWork, CoderHome, modelAt } from './coder-home.ts';
import { calls, inTurn, says, ScriptServer } from './script-server.ts';

const work = inTurn(
  calls('read', { path: 'notes.txt' }),
  calls('write', { path: 'made.txt', content: 'made\n' }),
  calls('execute', { command: 'read line < made.txt' }),
  calls('dance', {}),
  says('Done.'),
);

test('a turn can be cancelled at each of its updates, and the session continues each time', async () => {
  await using server = await ScriptServer.start((asked) =>
    asked.prompt.includes('And now?') ? says('All is well.') : work(asked),
  );
  await using home = await CoderHome.open({
    files: { 'notes.txt': 'notes\n' },
    env: modelAt(server),
  });
  await using coder = await CoderAtWork.start(home);
  let passed = 0;
  /** The turn, cancelled when this much of it was heard: updates and questions count. */
  const cancelledAt = async (moment: number): Promise<readonly unknown[]> => {
    passed = 0;
    const turns: Turn[] = [];
    const reach = (): void => {
      if (turns.length === 1 && passed++ === moment) void turns[0]?.cancel();
    };
    const updates: SessionUpdate[] = [];
    const onUpdate = (update: SessionUpdate): void => {
      updates.push(update);
      reach();
    };
    const session = await coder.agent.newSession({ cwd: home.work, onUpdate });
    coder.user.decide = ({ options }) => {
      reach();
      return optionOfKind(options, 'allow_once');
    };
    turns.push(session.prompt('Do it.'));
    if (moment === -1) void turns[0]?.cancel();
    const end = await turns[0];
    const made = await home.read('made.txt').catch(() => 'made\n');
    await rm(join(home.work, 'made.txt'), { force: true });
    turns.push(session.prompt('And now?'));
    const next = await turns[1];
    const open = callsIn(updates).filter((call) => !/ (completed|failed)$/.test(call));
    return [end?.stopReason, made, next?.stopReason, open];
  };
  const whole = await cancelledAt(Infinity);
  const moments = passed;
  const outcomes = new Map<number, readonly unknown[]>();
  for (let moment = -1; moment < moments; moment++) outcomes.set(moment, await cancelledAt(moment));
  const wrong = [...outcomes].filter(([moment, [stopReason, ...rest]]) => {
    const isFine = JSON.stringify(rest) === JSON.stringify(['made\n', 'end_turn', []]);
    // The last update may arrive when the answer is already being sent.
    return !isFine || (stopReason !== 'cancelled' && moment < moments - 3);
  });
  expect([whole, moments > 15, wrong]).toEqual([['end_turn', 'made\n', 'end_turn', []], true, []]);
});

const begun = chat({ role: 'assistant', content: 'Hel' });
const call = { index: 0, id: 'c1', type: 'function', function: { name: 'write', arguments: '{"path": "a' } };

test.each([
  ['says nothing', saysNothing, []],
  ['speaks', streams([begun], 'hang'), []],
  ['is in the middle of a call', streams([chat({ role: 'assistant', tool_calls: [call] })], 'hang'), ['write failed']],
])('a cancel while the model %s ends the turn and the request', async (_, reply, called) => {
  let isAsked = (): void => undefined;
  let isClosed = (): void => undefined;
  const asked = new Promise<void>((resolve) => (isAsked = resolve));
  const closed = new Promise<void>((resolve) => (isClosed = resolve));
  await using server = await FaultServer.start((response, request) => {
    response.on('close', isClosed);
    reply(response, request);
    isAsked();
  });
  await using home = await CoderHome.open({ env: modelAt(server) });
  await using coder = await CoderAtWork.startHere(home);
  const turn = coder.session.prompt('Do it.');
  await asked;
  if (called.length > 0) await until(() => coder.calls.length > 0);
  const { stopReason } = await turn.cancel();
  await closed;
  expect([stopReason, coder.calls, await home.files()]).toEqual(['cancelled', called, []]);
});
