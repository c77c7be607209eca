import { errorCodes, type ProtocolError } from '@turnwire/protocol';
import { v1Unstable } from '@turnwire/protocol/unstable';
import { expect, test } from 'vitest';
import { type AgentDefinition, memoryStore } from '../src/index.ts';
import { gate, numbered, pair } from './agent-pair.ts';

/** Remembers its prompts, and repeats them in every answer. */
function remembering(more: Partial<AgentDefinition<string[]>> = {}): Partial<AgentDefinition<string[]>> {
  return {
    edition: v1Unstable as never,
    store: memoryStore(),
    openSession: ({ restored }) => [...((restored?.kept ?? []) as string[])],
    sessionForked: ({ memory }, { source, meta }) => ({ forked: { memory: [...memory], source: source?.id, meta } }),
    prompt: async (turn) => {
      turn.session.memory.push(turn.text);
      await turn.session.keep(turn.text);
      await turn.say(turn.session.memory.join(', '));
    },
    ...more,
  };
}

const fork = 'session/fork';

test('a fork begins with the history of its session, and both continue independently', async () => {
  const { client, open, prompt, received } = await pair(remembering());
  const sessionId = await open();
  await prompt(sessionId, 'one');
  await prompt(sessionId, 'two');
  const answer = (await client.raw.request(fork, { sessionId, cwd: '/elsewhere' })) as { readonly sessionId: string };
  received.splice(0);
  await prompt(answer.sessionId, 'three');
  await prompt(sessionId, 'other');
  const { sessions } = await client.request('session/list', {});
  expect(
    numbered({
      answer,
      said: received.flatMap((each) =>
        'content' in each && 'text' in (each.content as object)
          ? [(each.content as { readonly text: string }).text]
          : [],
      ),
      folders: sessions.map(({ cwd }) => cwd).toSorted((a, b) => a.localeCompare(b)),
    }),
  ).toEqual({
    answer: { sessionId: 'id-1', _meta: { forked: { memory: ['one', 'two'], source: 'id-2' } } },
    said: ['one, two, three', 'one, two, other'],
    folders: ['/', '/elsewhere'],
  });
});

test('a fork has its own copies of the sessions that its source started, with other ids', async () => {
  const seen: { readonly sessionId: string; readonly update: object }[] = [];
  const delegating = remembering({
    prompt: async (turn) => {
      await turn.delegate?.({ title: 'Look', message: 'Look at it' }, (child) => child.say('I look'));
    },
  });
  const { client, open, prompt } = await pair(delegating, {
    client: { 'session/update': (received) => void seen.push(received) },
    capabilities: { subagents: {} },
  });
  const sessionId = await open();
  await prompt(sessionId, 'one');
  const { sessionId: forkId } = (await client.raw.request(fork, { sessionId, cwd: '/' })) as {
    readonly sessionId: string;
  };
  const about = { cwd: '/', mcpServers: [] };
  const loaded: unknown[] = [];
  for (const id of [sessionId, forkId]) {
    await client.request('session/close', { sessionId: id });
    seen.splice(0);
    await client.request('session/load', { ...about, sessionId: id });
    const idsOfSessions = seen.splice(0).map(({ sessionId: of, update }) => {
      const {
        senderSessionId,
        recipientSessionId,
        sessionUpdate,
        sessionId: child,
      } = update as {
        readonly [name: string]: string | undefined;
      };
      return [of, sessionUpdate, child, senderSessionId, recipientSessionId].filter((each) => each !== undefined);
    });
    loaded.push(idsOfSessions);
  }
  const history = (parent: string, child: string): unknown => [
    [parent, 'user_message_chunk'],
    [parent, 'subagent_update', child],
    [parent, 'session_message', child],
    [child, 'session_message', parent],
    [child, 'agent_message_chunk'],
  ];
  expect(numbered(loaded)).toEqual([history('id-1', 'id-2'), history('id-3', 'id-4')]);
});

test('a fork can leave out the last prompts; more than exist is refused without leaving a session', async () => {
  const { client, open, prompt } = await pair(remembering());
  const sessionId = await open();
  for (const text of ['one', 'two', 'three']) await prompt(sessionId, text);
  const forked = async (withoutLast: unknown): Promise<unknown> =>
    client.raw
      .request(fork, { sessionId, cwd: '/', _meta: { turnwire: { withoutLast } } })
      .then((answer) => (answer as { _meta: { forked: { memory: unknown } } })._meta.forked.memory)
      .catch((error: unknown) => {
        const { code, message } = error as ProtocolError;
        return { code, message };
      });
  const outcomes = [];
  for (const count of [2, 3, 4, -1]) outcomes.push(await forked(count));
  const { sessions } = await client.request('session/list', {});
  expect({ outcomes, sessions: sessions.length }).toEqual({
    outcomes: [
      ['one'],
      [],
      { code: errorCodes.invalidParams, message: expect.stringContaining('the session has 3 prompts') },
      { code: errorCodes.invalidParams, message: expect.stringContaining('a number of prompts') },
    ],
    sessions: 3,
  });
});

test('a fork made while a turn runs has the turns that have ended, and a session that is not open can be forked', async () => {
  const store = memoryStore();
  const { opened, open: letGo } = gate();
  const first = await pair(
    remembering({
      store,
      prompt: async (turn) => {
        await turn.session.keep(turn.text);
        if (turn.text === 'two') await opened;
      },
    }),
  );
  const sessionId = await first.open();
  await first.prompt(sessionId, 'one');
  const running = first.prompt(sessionId, 'two');
  const during = await first.client.raw.request(fork, { sessionId, cwd: '/' });
  letGo();
  await running;
  await first.agent.close();
  const second = await pair(remembering({ store }));
  const afterwards = await second.client.raw.request(fork, { sessionId, cwd: '/' });
  expect(numbered([during, afterwards])).toEqual([
    { sessionId: 'id-1', _meta: { forked: { memory: ['one'], source: 'id-2' } } },
    { sessionId: 'id-3', _meta: { forked: { memory: ['one', 'two'] } } },
  ]);
});

test('forks are offered only with an edition that has them and a readable store', async () => {
  const { read: _read, ...unreadable } = { ...memoryStore(), read: undefined };
  const offered = async (more: Partial<AgentDefinition<string[]>>): Promise<unknown> => {
    const { client } = await pair(remembering(more));
    const { fork: capability } = (client.remote?.agentCapabilities?.sessionCapabilities ?? {}) as {
      readonly fork?: unknown;
    };
    const refused = await client.raw
      .request(fork, { sessionId: 'none', cwd: '/' })
      .catch((error: unknown) => (error as ProtocolError).code);
    return { capability, refused };
  };
  const absent = { capability: undefined, refused: errorCodes.methodNotFound };
  expect([
    await offered({}),
    await offered({ edition: undefined }),
    await offered({ store: undefined }),
    await offered({ store: unreadable as never }),
    await offered({ sessionForked: undefined }),
  ]).toEqual([
    { capability: { _meta: { turnwire: { withoutLast: true } } }, refused: errorCodes.resourceNotFound },
    absent,
    absent,
    absent,
    absent,
  ]);
});
