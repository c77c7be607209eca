import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { optionOfKind } from '@agentwire/client';
import type { Turn } from '@agentwire/client';
import { expect, test } from 'vitest';
import { chat, FaultServer, saysNothing, streams } from '../fault-server.ts';
import { CoderAtWork, CoderHome } from './coder-home.ts';
import { calls, inTurn, says, ScriptServer } from './script-server.ts';

const work = inTurn(
  calls('read', { path: 'notes.txt' }),
  calls('write', { path: 'made.txt', content: 'made\n' }),
  calls('execute', { command: 'cat made.txt' }),
  calls('dance', {}),
  says('Done.'),
);

test('a turn can be cancelled at everything a client hears of it, and each time the session goes on', async () => {
  await using server = await ScriptServer.start((asked) =>
    asked.prompt.includes('And now?') ? says('All is well.') : work(asked),
  );
  await using home = await CoderHome.open({
    files: { 'notes.txt': 'notes\n' },
    env: { AGENTWIRE_CODER_MODEL: 'openai-compatible/m', OPENAI_COMPATIBLE_BASE_URL: server.url },
  });
  await using coder = await CoderAtWork.start(home);
  const { agent } = coder;
  let passed = 0;
  /** The turn, cancelled when this much of it was heard: updates and questions count. */
  const cancelledAt = async (moment: number): Promise<readonly unknown[]> => {
    passed = 0;
    let turn: Turn | undefined;
    const reach = (): void => {
      if (passed++ === moment) void turn?.cancel();
    };
    const begun = coder.updates.length;
    const session = await agent.newSession({
      cwd: home.work,
      onUpdate: (update) => {
        coder.updates.push(update);
        if (turn) reach();
      },
    });
    coder.person.decide = ({ options }) => {
      reach();
      return optionOfKind(options, 'allow_once');
    };
    turn = session.prompt('Do it.');
    if (moment === -1) void turn.cancel();
    const { stopReason } = await turn;
    const made = await home.read('made.txt').catch(() => undefined);
    await rm(join(home.work, 'made.txt'), { force: true });
    const next = await session.prompt('And now?');
    const open = coder.callsSince(begun).filter((call) => !/ (completed|failed)$/.test(call));
    return [stopReason, made ?? 'made\n', next.stopReason, open];
  };
  const whole = await cancelledAt(Infinity);
  const moments = passed;
  const outcomes = new Map<number, readonly unknown[]>();
  for (let moment = -1; moment < moments; moment++) outcomes.set(moment, await cancelledAt(moment));
  const wrong = [...outcomes].filter(([moment, [stopReason, ...rest]]) => {
    const isFine = JSON.stringify(rest) === JSON.stringify(['made\n', 'end_turn', []]);
    // What is heard last may come when the answer is already on its way.
    return !isFine || (stopReason !== 'cancelled' && moment < moments - 3);
  });
  expect([whole, moments > 15, wrong]).toEqual([['end_turn', 'made\n', 'end_turn', []], true, []]);
});

const begun = chat({ role: 'assistant', content: 'Hel' });
const call = { index: 0, id: 'c1', type: 'function', function: { name: 'write', arguments: '{"path": "a' } };

test.each([
  ['says nothing', saysNothing],
  ['speaks', streams([begun], 'hang')],
  ['is in the middle of a call', streams([chat({ role: 'assistant', tool_calls: [call] })], 'hang')],
])('a cancel while the model %s ends the turn and the request', async (_, reply) => {
  const closed = new Promise<void>((resolve) => {
    void (async () => {
      await using server = await FaultServer.start((response, request) => {
        response.on('close', resolve);
        reply(response, request);
      });
      await using home = await CoderHome.open({
        env: { AGENTWIRE_CODER_MODEL: 'openai-compatible/m', OPENAI_COMPATIBLE_BASE_URL: server.url },
      });
      await using coder = await CoderAtWork.start(home);
    })();
  });
  await closed;
});
