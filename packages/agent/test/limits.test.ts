import { ProtocolError } from '@agentwire/protocol';
import { expect, test } from 'vitest';
import { memoryStore } from '../src/index.ts';
import type { PermissionAnswer, UserAnswer } from '../src/index.ts';
import { gate, numbered, pair } from './agent-pair.ts';

const form = { properties: { name: { type: 'string' as const } } };

test('a turn that takes too long is stopped and answered with an error, its open calls settled first', async () => {
  const { open, prompt, received } = await pair(
    (turn) => {
      turn.tool({ title: 'Wait' });
      return new Promise((resolve) => turn.signal.addEventListener('abort', () => resolve()));
    },
    { turns: { longest: 20 } },
  );
  await expect(prompt(await open(), 'hello')).rejects.toEqual(
    new ProtocolError(-32603, 'The turn took longer than 0.02 s, which is the most it may take, and was stopped'),
  );
  expect(received.map((update) => 'status' in update && update.status)).toEqual(['pending', 'failed']);
});

test('a turn whose handler never returns ends all the same, and the next one runs', async () => {
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

test('an agent that takes no further prompt while one runs says so', async () => {
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
    new ProtocolError(-32600, `Session ${sessionId} is busy with a prompt: wait for its answer, or cancel`, {
      sessionId,
      waiting: 0,
    }),
  );
  await client.notify('session/cancel', { sessionId });
  expect(await answer).toEqual({ stopReason: 'cancelled' });
});

test.each(['cancel', 'return'])('a %s gives up the questions that are open', async (how) => {
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

test('a cancel that comes while the turn is being stored is honoured', async () => {
  const [storing, goOn] = [gate(), gate()];
  const inner = memoryStore();
  const slow = {
    create: async (header: Parameters<typeof inner.create>[0]) => {
      const journal = await inner.create(header);
      return {
        append: async (entry: Parameters<typeof journal.append>[0]) => {
          if (entry.type === 'end') {
            storing.open();
            await goOn.opened;
          }
          await journal.append(entry);
        },
        close: () => journal.close(),
      };
    },
    open: (id: string) => inner.open(id),
    list: (query: object) => inner.list(query),
    delete: (id: string) => inner.delete(id),
  };
  const { client, open, prompt, received } = await pair({ store: slow, prompt: (turn) => turn.say('hello') });
  const sessionId = await open();
  const answer = prompt(sessionId, 'hello');
  await storing.opened;
  await client.notify('session/cancel', { sessionId });
  await client.request('session/list', {});
  goOn.open();
  await answer;
  expect(numbered(received).at(-1)).toEqual({ stopReason: 'cancelled' });
});
