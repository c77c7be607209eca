import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { ProtocolError } from '@turnwire/protocol';
import { expect, test } from 'vitest';
import type { PermissionAnswer, UserAnswer } from '../src/index.ts';
import { gate, numbered, pair } from './agent-pair.ts';
import { delayedStore } from './delayed-store.ts';

const form = { properties: { name: { type: 'string' as const } } };

test('a turn that exceeds its time limit is answered with an error after its open calls are closed', async () => {
  const { open, prompt, received } = await pair(
    (turn) => {
      turn.tool({ title: 'Wait' });
      return new Promise((resolve) => turn.signal.addEventListener('abort', () => resolve()));
    },
    { turns: { longest: 20 } },
  );
  await expect(prompt(await open(), 'hello')).rejects.toEqual(
    new ProtocolError(-32603, 'The turn took longer than 0.02 s, its time limit, and was stopped'),
  );
  expect(received.map((update) => 'status' in update && update.status)).toEqual(['pending', 'failed']);
});

test('a turn whose handler never returns still ends, and the next one runs', async () => {
  let turns = 0;
  const { open, prompt } = await pair(
    () => {
      turns += 1;
      return turns === 1 ? new Promise(() => undefined) : undefined;
    },
    { turns: { longest: 10, grace: 10 } },
  );
  const id = await open();
  await expect(prompt(id, 'hello')).rejects.toMatchObject({ code: -32603 });
  expect(await prompt(id, 'hello')).toEqual({ stopReason: 'end_turn' });
});

test('an agent without a prompt queue refuses a prompt while one runs', async () => {
  const running = gate();
  const { client, open, prompt } = await pair(
    ({ signal }) => {
      running.open();
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
    },
    { turns: { waiting: 0 } },
  );
  const sessionId = await open();
  const answer = prompt(sessionId, 'hello');
  await running.opened;
  await expect(prompt(sessionId, 'more')).rejects.toEqual(
    new ProtocolError(-32600, `Session ${sessionId} is busy with a prompt: wait for its answer, or cancel it`, {
      sessionId,
      waiting: 0,
    }),
  );
  await client.notify('session/cancel', { sessionId });
  expect(await answer).toEqual({ stopReason: 'cancelled' });
});

test.each(['cancel', 'return'])('a %s withdraws open questions', async (how) => {
  const [permission, question, asked] = [gate(), gate(), gate()];
  const came: { permission?: PermissionAnswer; question?: UserAnswer } = {};
  const pending: Promise<unknown>[] = [];
  const { client, open, prompt } = await pair(
    async (turn) => {
      pending.push(turn.askPermission(turn.tool({ title: 'Edit' })).then((answer) => (came.permission = answer)));
      pending.push(turn.askUser({ message: 'Who?', form }).then((answer) => (came.question = answer)));
      await asked.opened;
      if (how === 'cancel') await Promise.all(pending);
    },
    {
      capabilities: { elicitation: { form: {} } },
      client: {
        'session/request_permission': async () => {
          permission.open();
          return new Promise<never>(() => undefined);
        },
        'elicitation/create': async () => {
          question.open();
          return new Promise<never>(() => undefined);
        },
      },
    },
  );
  const sessionId = await open();
  const answer = prompt(sessionId, 'hello');
  await Promise.all([permission.opened, question.opened]);
  if (how === 'cancel') await client.notify('session/cancel', { sessionId });
  asked.open();
  expect(await answer).toEqual({ stopReason: how === 'cancel' ? 'cancelled' : 'end_turn' });
  await Promise.all(pending);
  expect(came).toEqual({ permission: { outcome: 'cancelled' }, question: { outcome: 'cancelled' } });
});

test.each([
  ['is being stored', () => undefined],
  [
    'that failed is being stored',
    () => {
      throw new Error('no model');
    },
  ],
])('a cancel while the turn %s is honoured', async (_, work) => {
  const [storing, goOn] = [gate(), gate()];
  const store = delayedStore(async ({ type }) => {
    if (type !== 'end') return;
    storing.open();
    await goOn.opened;
  });
  const { client, open, prompt } = await pair({ store, prompt: work });
  const sessionId = await open();
  const answer = prompt(sessionId, 'hello');
  await storing.opened;
  await client.notify('session/cancel', { sessionId });
  await client.request('session/list', {});
  goOn.open();
  expect(await answer).toEqual({ stopReason: 'cancelled' });
});

test('a hanging store delays an answer only for the grace period, and later turns run', async () => {
  const store = delayedStore(() => new Promise(() => undefined));
  const { open, prompt, logged } = await pair({ store, prompt: (turn) => turn.say('hello') }, { turns: { grace: 10 } });
  const id = await open();
  expect([await prompt(id, 'one'), await prompt(id, 'two'), logged.map(({ event }) => event)]).toEqual([
    { stopReason: 'end_turn' },
    { stopReason: 'end_turn' },
    Array(2).fill('the end of a turn is not stored yet; the prompt is answered anyway'),
  ]);
});

test('a limit beyond the range of timers means no limit', async () => {
  let begun = gate();
  const { client, open, prompt, received } = await pair(
    async (turn) => {
      begun.open();
      if (turn.text === 'wait') await once(turn.signal, 'abort');
      await delay(20);
      await turn.say('tidied up');
    },
    { turns: { longest: 30 * 24 * 3_600_000, grace: Infinity } },
  );
  const sessionId = await open();
  const first = await prompt(sessionId, 'hello');
  begun = gate();
  const second = prompt(sessionId, 'wait');
  await begun.opened;
  await client.notify('session/cancel', { sessionId });
  await second;
  expect([first, numbered(received)]).toEqual([
    { stopReason: 'end_turn' },
    [
      { sessionUpdate: 'agent_message_chunk', messageId: 'id-1', content: { type: 'text', text: 'tidied up' } },
      { stopReason: 'end_turn' },
      { sessionUpdate: 'agent_message_chunk', messageId: 'id-2', content: { type: 'text', text: 'tidied up' } },
      { stopReason: 'cancelled' },
    ],
  ]);
});

test('a missing limit has its default, and an invalid one is refused', async () => {
  const unset = { waiting: undefined } as unknown as { waiting: number };
  const { open, prompt } = await pair(() => new Promise(() => undefined), { turns: { ...unset, grace: 0 } });
  const id = await open();
  const answers = Array.from({ length: 18 }, () => prompt(id, 'hello'));
  for (const answer of answers) answer.catch(() => undefined);
  await expect(answers.at(-1)).rejects.toMatchObject({ code: -32600, data: { waiting: 16 } });
  await expect(pair({}, { turns: { waiting: -1 } })).rejects.toThrow(
    'turns.waiting is -1: pass a number that is not negative',
  );
});

test('a handler that closes the connection and never returns does not delay the end', async () => {
  const { agent, open, prompt } = await pair(
    () => {
      void agent.close();
      return new Promise(() => undefined);
    },
    { turns: { grace: 10 } },
  );
  prompt(await open(), 'hello').catch(() => undefined);
  expect(await agent.closed).toEqual({ by: 'local' });
});
