import { setTimeout as delay } from 'node:timers/promises';
import { ProtocolError } from '@turnwire/protocol';
import { expect, test } from 'vitest';
import type { PermissionAnswer, Turn } from '../src/index.ts';
import { gate, numbered, pair } from './agent-pair.ts';

/** Continues until it is cancelled, as well-behaved work does. */
function untilCancelled({ signal }: Turn): Promise<never> {
  return delay(60_000, undefined, { signal }) as Promise<never>;
}

test('a cancel closes open calls and answers cancelled, even if the handler fails with an abort error', async () => {
  const started = gate();
  const { client, open, prompt, received, logged } = await pair(async (turn) => {
    await turn.tool({ title: 'Wait' }).start();
    started.open();
    await untilCancelled(turn);
  });
  const sessionId = await open();
  const answer = prompt(sessionId, 'hello');
  await started.opened;
  await client.notify('session/cancel', { sessionId });
  await answer;
  expect(numbered(received)).toEqual([
    { sessionUpdate: 'tool_call', toolCallId: 'id-1', status: 'pending', title: 'Wait' },
    { sessionUpdate: 'tool_call_update', toolCallId: 'id-1', status: 'in_progress' },
    {
      sessionUpdate: 'tool_call_update',
      toolCallId: 'id-1',
      status: 'failed',
      content: [{ type: 'content', content: { type: 'text', text: 'Cancelled.' } }],
    },
    { stopReason: 'cancelled' },
  ]);
  expect(logged).toEqual([]);
});

test('a cancel sent right after its prompt is not lost', async () => {
  const { client, open, prompt } = await pair(untilCancelled);
  const sessionId = await open();
  const answer = prompt(sessionId, 'hello');
  void client.notify('session/cancel', { sessionId });
  expect(await answer).toEqual({ stopReason: 'cancelled' });
});

test('a handler that succeeds after a cancel is still answered cancelled', async () => {
  const started = gate();
  const { client, open, prompt } = await pair(async (turn) => {
    started.open();
    await untilCancelled(turn).catch(() => turn.say('Cleaning up.'));
    return 'end_turn' as const;
  });
  const sessionId = await open();
  const answer = prompt(sessionId, 'hello');
  await started.opened;
  await client.notify('session/cancel', { sessionId });
  expect(await answer).toEqual({ stopReason: 'cancelled' });
});

test('a prompt whose handler ignores a cancel is answered after the grace period, and later updates are dropped', async () => {
  const [started, released, finished] = [gate(), gate(), gate()];
  const { client, open, prompt, received } = await pair(
    async (turn) => {
      started.open();
      await released.opened;
      await turn.say('too late');
      finished.open();
    },
    { turns: { grace: 10 } },
  );
  const sessionId = await open();
  const answer = prompt(sessionId, 'hello');
  await started.opened;
  await client.notify('session/cancel', { sessionId });
  await answer;
  released.open();
  await finished.opened;
  await client.request('session/close', { sessionId });
  expect(received).toEqual([{ stopReason: 'cancelled' }]);
});

test('a cancel without a running turn does not affect the next prompt', async () => {
  const { client, open, prompt } = await pair((turn) => turn.say('hello'));
  const sessionId = await open();
  await client.notify('session/cancel', { sessionId });
  await client.notify('session/cancel', { sessionId: 'nowhere' });
  expect(await prompt(sessionId, 'hello')).toEqual({ stopReason: 'end_turn' });
});

test('prompts of one session run one after the other, each with its own answer', async () => {
  const { open, prompt, received } = await pair(async (turn) => {
    await turn.say(`${turn.text} begins`);
    await delay(5);
    await turn.say(`${turn.text} ends`);
  });
  const id = await open();
  await Promise.all([prompt(id, 'first'), prompt(id, 'second')]);
  expect(numbered(received)).toEqual([
    { sessionUpdate: 'agent_message_chunk', messageId: 'id-1', content: { type: 'text', text: 'first begins' } },
    { sessionUpdate: 'agent_message_chunk', messageId: 'id-1', content: { type: 'text', text: 'first ends' } },
    { stopReason: 'end_turn' },
    { sessionUpdate: 'agent_message_chunk', messageId: 'id-2', content: { type: 'text', text: 'second begins' } },
    { sessionUpdate: 'agent_message_chunk', messageId: 'id-2', content: { type: 'text', text: 'second ends' } },
    { stopReason: 'end_turn' },
  ]);
});

test('a cancel applies to the prompts before it and to none after it', async () => {
  const ran: string[] = [];
  const { client, open, prompt } = await pair(async (turn) => {
    ran.push(turn.text);
    if (turn.text !== 'third') await untilCancelled(turn);
  });
  const sessionId = await open();
  const answers = [prompt(sessionId, 'first'), prompt(sessionId, 'second')];
  await client.notify('session/cancel', { sessionId });
  answers.push(prompt(sessionId, 'third'));
  expect(await Promise.all(answers)).toEqual([
    { stopReason: 'cancelled' },
    { stopReason: 'cancelled' },
    { stopReason: 'end_turn' },
  ]);
  expect(ran).not.toContain('second');
});

test('a turn of one session does not delay other sessions', async () => {
  const { client, open, prompt } = await pair(async (turn) => {
    if (turn.text === 'wait') await untilCancelled(turn);
  });
  const [busy, idle] = [await open(), await open()];
  const waiting = prompt(busy, 'wait');
  expect(await prompt(idle, 'go')).toEqual({ stopReason: 'end_turn' });
  await client.notify('session/cancel', { sessionId: busy });
  expect(await waiting).toEqual({ stopReason: 'cancelled' });
});

test('a prompt beyond the queue limit is refused', async () => {
  const { client, open, prompt } = await pair(untilCancelled, { turns: { waiting: 1 } });
  const sessionId = await open();
  const answers = [prompt(sessionId, 'runs'), prompt(sessionId, 'waits')];
  await expect(prompt(sessionId, 'too many')).rejects.toEqual(
    new ProtocolError(-32600, `Session ${sessionId} has 1 waiting prompts already: wait for an answer, or cancel`, {
      sessionId,
      waiting: 1,
    }),
  );
  await client.notify('session/cancel', { sessionId });
  expect(await Promise.all(answers)).toEqual([{ stopReason: 'cancelled' }, { stopReason: 'cancelled' }]);
});

test('$/cancel_request of a prompt cancels only its turn', async () => {
  const { client, open, prompt } = await pair(async (turn) => {
    if (turn.text === 'wait') await untilCancelled(turn);
  });
  const sessionId = await open();
  const controller = new AbortController();
  const params = { sessionId, prompt: [{ type: 'text', text: 'wait' }] } as const;
  const waiting = client.request('session/prompt', params, { signal: controller.signal });
  const next = prompt(sessionId, 'go');
  controller.abort();
  expect(await Promise.all([waiting, next])).toEqual([{ stopReason: 'cancelled' }, { stopReason: 'end_turn' }]);
});

test('a waiting prompt that is cancelled is answered at once, and the turn before it continues', async () => {
  const [started, released] = [gate(), gate()];
  const { client, open, prompt, received } = await pair(async (turn) => {
    const tool = turn.tool({ title: 'Work' });
    await tool.start();
    started.open();
    await released.opened;
    await tool.complete('done');
  });
  const sessionId = await open();
  const running = prompt(sessionId, 'go');
  await started.opened;
  const controller = new AbortController();
  const params = { sessionId, prompt: [{ type: 'text', text: 'and then' }] } as const;
  const waiting = client.request('session/prompt', params, { signal: controller.signal });
  controller.abort();
  expect(await waiting).toEqual({ stopReason: 'cancelled' });
  expect(received.map((each) => ('status' in each ? each.status : each))).toEqual(['pending', 'in_progress']);
  released.open();
  expect(await running).toEqual({ stopReason: 'end_turn' });
});

test('cancelling at any moment never ends in an error', async () => {
  const { client, open, prompt } = await pair(
    async (turn) => {
      await delay(1, undefined, { signal: turn.signal });
      const tool = turn.tool({ title: 'Work' });
      await turn.askPermission(tool);
      await tool.start();
      await delay(2, undefined, { signal: turn.signal });
      await tool.complete('done');
    },
    { client: { 'session/request_permission': () => ({ outcome: { outcome: 'selected', optionId: 'allow_once' } }) } },
  );
  const sessionId = await open();
  const reasons = new Set<string>();
  for (let wait = 0; wait < 60; wait++) {
    const answer = prompt(sessionId, 'hello');
    if (wait % 12 < 8) await delay(wait % 12);
    await client.notify('session/cancel', { sessionId });
    reasons.add((await answer).stopReason);
  }
  expect([...reasons].filter((reason) => reason !== 'cancelled' && reason !== 'end_turn')).toEqual([]);
});

/** Runs one turn that asks for permission and returns the outcome. */
async function ask(answer: () => unknown, options?: Parameters<Turn['askPermission']>[1]): Promise<unknown> {
  let came: PermissionAnswer | undefined;
  const asked: unknown[] = [];
  const { open, prompt } = await pair(
    async (turn) => void (came = await turn.askPermission(turn.tool({ title: 'Edit a', kind: 'edit' }), options)),
    {
      client: {
        'session/request_permission': ({ toolCall, options: offered }) => {
          asked.push({ toolCall, offered });
          return answer() as never;
        },
      },
    },
  );
  await prompt(await open(), 'hello');
  return { came, asked: numbered(asked) };
}

const usual = {
  toolCall: { toolCallId: 'id-1', status: 'pending', title: 'Edit a', kind: 'edit' },
  offered: [
    { optionId: 'allow_once', name: 'Allow', kind: 'allow_once' },
    { optionId: 'reject_once', name: 'Reject', kind: 'reject_once' },
  ],
};

const selected = (optionId: string) => () => ({ outcome: { outcome: 'selected', optionId } });

test('two permission options with one id are refused, and nothing is asked', async () => {
  const options = (['allow_once', 'reject_once'] as const).map((kind) => ({ optionId: 'same', name: kind, kind }));
  let failure: unknown;
  const { open, prompt } = await pair(async (turn) => {
    await turn.askPermission(turn.tool({ title: 'Edit a' }), options).catch((error: unknown) => (failure = error));
  });
  await prompt(await open(), 'hello');
  expect(failure).toMatchObject({
    code: 'invalid-input',
    message: 'Two permission options have the id "same"; give each its own id',
  });
});

test.each([
  ['an allowing choice', selected('allow_once'), { outcome: 'allowed', option: usual.offered[0] }],
  ['a rejecting choice', selected('reject_once'), { outcome: 'rejected', option: usual.offered[1] }],
  ['a choice nobody offered', selected('allow_always'), { outcome: 'rejected' }],
  ['a dismissal', () => ({ outcome: { outcome: 'cancelled' } }), { outcome: 'cancelled' }],
  ['an error', () => Promise.reject(new ProtocolError(-32603, 'no')), { outcome: 'rejected' }],
])('a permission question ends as %s', async (_, answer, came) => {
  expect(await ask(answer)).toEqual({ came, asked: [usual] });
});

test('the kind of an option decides, not its id', async () => {
  const options = [
    { optionId: 'yes', name: 'No', kind: 'reject_always' },
    { optionId: 'no', name: 'Yes', kind: 'allow_always' },
  ] as const;
  expect([await ask(selected('yes'), options), await ask(selected('no'), options)]).toEqual([
    { came: { outcome: 'rejected', option: options[0] }, asked: [{ ...usual, offered: options }] },
    { came: { outcome: 'allowed', option: options[1] }, asked: [{ ...usual, offered: options }] },
  ]);
});

test('a cancel withdraws a pending question, and a later approval is ignored', async () => {
  const [asked, late] = [gate(), gate()];
  let came: PermissionAnswer | undefined;
  const { client, open, prompt } = await pair(
    async (turn) => void (came = await turn.askPermission(turn.tool({ title: 'Edit a' }))),
    {
      client: {
        'session/request_permission': async () => {
          asked.open();
          await late.opened;
          return { outcome: { outcome: 'selected', optionId: 'allow_once' } };
        },
      },
    },
  );
  const sessionId = await open();
  const answer = prompt(sessionId, 'hello');
  await asked.opened;
  await client.notify('session/cancel', { sessionId });
  expect(await answer).toEqual({ stopReason: 'cancelled' });
  late.open();
  expect(came).toEqual({ outcome: 'cancelled' });
});
