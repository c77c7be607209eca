import { type Peer, type PromptResponse, ProtocolError, steeringMethod } from '@turnwire/protocol';
import { describe, expect, test } from 'vitest';
import { memoryStore } from '../src/index.ts';
import type { Turn } from '../src/index.ts';
import { gate, numbered, pair } from './agent-pair.ts';

const said = (messageId: string, text: string) => ({
  sessionUpdate: 'agent_message_chunk',
  messageId,
  content: { type: 'text', text },
});
const asked = (messageId: string, text: string) => ({ ...said(messageId, text), sessionUpdate: 'user_message_chunk' });

/** A turn that repeats its prompt, waits for the gate, and takes the prompts that arrived meanwhile. */
function steered(taking: { readonly opened: Promise<void> }): (turn: Turn) => Promise<void> {
  return async (turn) => {
    await turn.say(turn.text);
    await taking.opened;
    for (const { text } of turn.takeWaiting()) await turn.say(`and ${text}`);
  };
}

function untilCancelled({ signal }: Turn): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
}

/** Resolves when the agent has read everything sent before. */
const read = ({
  client,
}: {
  readonly client: { request: (method: 'session/list', params: object) => Promise<unknown> };
}) => client.request('session/list', {});

test('waiting prompts are taken into the turn, answered with it, and replayed where they were taken', async () => {
  const taking = gate();
  const store = memoryStore();
  const agent = await pair({ store, prompt: steered(taking) });
  const { client, open, prompt, received } = agent;
  const sessionId = await open();
  const answers = [prompt(sessionId, 'one'), prompt(sessionId, 'two'), prompt(sessionId, 'three')];
  await read(agent);
  taking.open();
  await Promise.all(answers);
  const end = { stopReason: 'end_turn' };
  expect(numbered(received.splice(0))).toEqual([
    said('id-1', 'one'),
    said('id-2', 'and two'),
    said('id-2', 'and three'),
    end,
    end,
    end,
  ]);
  await client.request('session/load', { sessionId, cwd: '/', mcpServers: [] });
  expect(numbered(received)).toEqual([
    asked('id-1', 'one'),
    said('id-2', 'one'),
    asked('id-3', 'two'),
    asked('id-4', 'three'),
    said('id-5', 'and twoand three'),
  ]);
});

test('a rejected prompt keeps waiting, with all prompts behind it', async () => {
  const taking = gate();
  const turns: string[][] = [];
  const agent = await pair({
    store: memoryStore(),
    prompt: async (turn) => {
      await taking.opened;
      const taken = turn.takeWaiting(({ text }) => !text.startsWith('/'));
      turns.push([turn.text, ...taken.map(({ text }) => text)]);
    },
  });
  const sessionId = await agent.open();
  const answers = ['one', 'two', '/three', 'four'].map((text) => agent.prompt(sessionId, text));
  await read(agent);
  taking.open();
  await Promise.all(answers);
  expect(turns).toEqual([
    ['one', 'two'],
    ['/three', 'four'],
  ]);
});

test('a prompt that arrives too late gets its own turn', async () => {
  const [taking, taken, finish] = [gate(), gate(), gate()];
  const turns: string[][] = [];
  const agent = await pair({
    store: memoryStore(),
    prompt: async (turn) => {
      await taking.opened;
      turns.push([turn.text, ...turn.takeWaiting().map(({ text }) => text)]);
      taken.open();
      await finish.opened;
    },
  });
  const sessionId = await agent.open();
  const answers = [agent.prompt(sessionId, 'one'), agent.prompt(sessionId, 'two')];
  await read(agent);
  taking.open();
  await taken.opened;
  answers.push(agent.prompt(sessionId, 'three'));
  await read(agent);
  finish.open();
  await Promise.all(answers);
  expect(turns).toEqual([['one', 'two'], ['three']]);
});

test('a taken prompt no longer counts as waiting', async () => {
  const [taking, finish] = [gate(), gate()];
  const agent = await pair(
    {
      store: memoryStore(),
      prompt: async (turn) => {
        await taking.opened;
        turn.takeWaiting();
        await finish.opened;
      },
    },
    { turns: { waiting: 1 } },
  );
  const sessionId = await agent.open();
  const answers = [agent.prompt(sessionId, 'runs'), agent.prompt(sessionId, 'is taken')];
  await read(agent);
  taking.open();
  await read(agent);
  answers.push(agent.prompt(sessionId, 'waits'));
  await expect(agent.prompt(sessionId, 'too many')).rejects.toMatchObject({ code: -32600 });
  finish.open();
  expect(await Promise.all(answers)).toEqual(Array.from({ length: 3 }, () => ({ stopReason: 'end_turn' })));
});

/** A turn that has taken one prompt and continues until it is cancelled. */
async function oneTaken() {
  const [taking, taken] = [gate(), gate()];
  const late: unknown[] = [];
  const agent = await pair({
    store: memoryStore(),
    prompt: async (turn) => {
      if (turn.text === 'after') return;
      await taking.opened;
      turn.takeWaiting();
      taken.open();
      await untilCancelled(turn);
      late.push(...turn.takeWaiting());
    },
  });
  const sessionId = await agent.open();
  const request = new AbortController();
  const ask = (text: string) =>
    agent.client.request(
      'session/prompt',
      { sessionId, prompt: [{ type: 'text', text }] },
      { signal: text === 'cancelled' ? request.signal : undefined },
    );
  return {
    ...agent,
    sessionId,
    ask,
    request,
    late,
    begin: async (...texts: string[]) => {
      const answers = texts.map(ask);
      await read(agent);
      taking.open();
      await taken.opened;
      return answers;
    },
  };
}

test('a cancel ends the turn and all prompts it took; a later prompt is not taken', async () => {
  const { client, sessionId, begin, ask, late } = await oneTaken();
  const answers = await begin('one', 'two');
  await client.notify('session/cancel', { sessionId });
  answers.push(ask('after'));
  expect([await Promise.all(answers), late]).toEqual([
    [{ stopReason: 'cancelled' }, { stopReason: 'cancelled' }, { stopReason: 'end_turn' }],
    [],
  ]);
});

test.each([
  ['the prompt a turn began with', ['cancelled', 'other']],
  ['a prompt it took', ['other', 'cancelled']],
])('$/cancel_request of %s cancels the turn and all prompts it took', async (_, texts) => {
  const { begin, request } = await oneTaken();
  const answers = await begin(...texts);
  request.abort();
  expect(await Promise.all(answers)).toEqual([{ stopReason: 'cancelled' }, { stopReason: 'cancelled' }]);
});

test('a prompt that is cancelled while it waits is not taken', async () => {
  const taking = gate();
  const turns: string[][] = [];
  const agent = await pair({
    store: memoryStore(),
    prompt: async (turn) => {
      await taking.opened;
      turns.push([turn.text, ...turn.takeWaiting().map(({ text }) => text)]);
    },
  });
  const sessionId = await agent.open();
  const request = new AbortController();
  const first = agent.prompt(sessionId, 'one');
  const params = { sessionId, prompt: [{ type: 'text', text: 'two' }] } as const;
  const second = agent.client.request('session/prompt', params, { signal: request.signal });
  const third = agent.prompt(sessionId, 'three');
  request.abort();
  expect(await second).toEqual({ stopReason: 'cancelled' });
  taking.open();
  await Promise.all([first, third]);
  expect(turns).toEqual([['one', 'three']]);
});

test('an error of the turn answers all prompts it took', async () => {
  const taking = gate();
  const agent = await pair({
    store: memoryStore(),
    prompt: async (turn) => {
      await taking.opened;
      turn.takeWaiting();
      throw new ProtocolError(-32603, 'The model is gone');
    },
  });
  const sessionId = await agent.open();
  const answers = Promise.allSettled([agent.prompt(sessionId, 'one'), agent.prompt(sessionId, 'two')]);
  await read(agent);
  taking.open();
  const refusal = { status: 'rejected', reason: new ProtocolError(-32603, 'The model is gone') };
  expect(await answers).toEqual([refusal, refusal]);
});

test('a turn that has ended takes no prompts', async () => {
  const [left, over] = [gate(), gate()];
  let late: readonly unknown[] | undefined;
  const agent = await pair({
    store: memoryStore(),
    prompt: (turn) => {
      if (turn.text !== 'one') return left.opened;
      void over.opened.then(() => (late = turn.takeWaiting())).then(left.open);
      return undefined;
    },
  });
  const sessionId = await agent.open();
  await agent.prompt(sessionId, 'one');
  const answers = [agent.prompt(sessionId, 'two'), agent.prompt(sessionId, 'three')];
  await read(agent);
  over.open();
  expect([await Promise.all(answers), late]).toEqual([[{ stopReason: 'end_turn' }, { stopReason: 'end_turn' }], []]);
});

/** Asks the agent to take a prompt into the turn that runs. */
const steer = ({ client }: { readonly client: Peer<'client'> }, sessionId: string, text: string): Promise<unknown> =>
  client.raw.request(steeringMethod, { sessionId, prompt: [{ type: 'text', text }] });

describe('an agent with steering', () => {
  test('advertises it, and answers once a turn has taken the prompt', async () => {
    const taking = gate();
    const agent = await pair({
      steering: true,
      prompt: async (turn) => {
        await turn.say(turn.text);
        await taking.opened;
        const taken = turn.takeWaiting();
        // As the answer of a model would.
        await new Promise((resolve) => setTimeout(resolve, 0));
        for (const { text } of taken) await turn.say(`and ${text}`);
      },
    });
    const sessionId = await agent.open();
    const answer = agent.prompt(sessionId, 'one');
    const outcome = steer(agent, sessionId, 'two').then((value) => void agent.received.push(value as PromptResponse));
    await steer(agent, 'unknown', 'x').catch(() => undefined);
    expect({ meta: agent.client.remote?._meta, received: numbered(agent.received) }).toEqual({
      meta: { steering: { supported: true } },
      received: [said('id-1', 'one')],
    });
    taking.open();
    await Promise.all([answer, outcome]);
    expect(numbered(agent.received)).toEqual([
      said('id-1', 'one'),
      { outcome: 'injected' },
      said('id-2', 'and two'),
      { stopReason: 'end_turn' },
    ]);
  });

  test('returns a prompt that no turn takes', async () => {
    const ending = gate();
    const turns: string[] = [];
    const agent = await pair({
      steering: true,
      prompt: async ({ text, signal }) => {
        turns.push(text);
        if (text === 'long') await untilCancelled({ signal } as Turn);
        if (text === 'one') await ending.opened;
      },
    });
    const sessionId = await agent.open();
    const idle = await steer(agent, sessionId, 'idle');
    const answer = agent.prompt(sessionId, 'one');
    const late = steer(agent, sessionId, 'late');
    await read(agent).catch(() => undefined);
    ending.open();
    await answer;
    const long = agent.prompt(sessionId, 'long');
    const called = steer(agent, sessionId, 'called off');
    await expect.poll(() => turns).toEqual(['one', 'long']);
    void agent.client.notify('session/cancel', { sessionId });
    await long;
    expect({ outcomes: [idle, await late, await called], turns }).toEqual({
      outcomes: [1, 2, 3].map(() => ({ outcome: 'promptRequired' })),
      turns: ['one', 'long'],
    });
  });

  test('refuses an invalid prompt', async () => {
    const agent = await pair({ steering: true });
    const sessionId = await agent.open();
    await expect(agent.client.raw.request(steeringMethod, { sessionId })).rejects.toThrow(
      '_session/steering: { sessionId, prompt } is needed, as for session/prompt',
    );
    await expect(steer(agent, 'unknown', 'one')).rejects.toThrow('Session not found: unknown');
  });
});

test('an agent without steering does not have the method', async () => {
  const agent = await pair({});
  const sessionId = await agent.open();
  await expect(steer(agent, sessionId, 'one')).rejects.toThrow('Method not found: _session/steering');
  expect(agent.client.remote?._meta).toBeUndefined();
});
