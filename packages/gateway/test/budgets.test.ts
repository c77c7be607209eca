import { tmpdir } from 'node:os';
import { defineAgent } from '@turnwire/agent';
import { localDay } from '@turnwire/machine';
import { connectClient, type CreateElicitationRequest, type PromptResponse, type UsageRow } from '@turnwire/protocol';
import { v2 } from '@turnwire/protocol/v2';
import { createPermissions } from '@turnwire/permissions';
import { type Budget, memoryStore, type SessionStore, type Spending } from '@turnwire/runtime';
import { memoryPair } from '@turnwire/transports/memory';
import { expect, test } from 'vitest';
import { Gateway, type Principal } from '../src/index.ts';
import { testAgent, type TestAgent } from './attached-agent.ts';
import { type TestClient, testClient, words } from './gateway-client.ts';

const cwd = tmpdir();
const owner: Principal = { tenant: 'local', scope: 'admin', isOwner: true };

interface Spender extends TestAgent {
  /** The prompts that reached the agent. */
  readonly prompts: readonly string[];
}

/**
 * An agent that works in steps. Each costs 1 USD and is reported with the sum of the session. `spend 3` makes three of them, unless it is cancelled;
 * `Continue where you stopped.` makes the rest. `tokens 5` answers with 5 tokens and no cost.
 */
function spender(): Spender {
  const prompts: string[] = [];
  const left = new Map<string, number>();
  const spent = new Map<string, number>();
  const agent = testAgent(
    defineAgent({
      info: { name: 'spender', version: '1.0.0' },
      configOptions: [
        {
          ...{ type: 'select', id: 'model', name: 'Model', category: 'model', currentValue: 'small' },
          options: ['small', 'large'].map((value) => ({ value, name: value })),
        },
      ],
      prompt: async (turn) => {
        const [what, count = '0'] = turn.text.split(' ');
        const { id } = turn.session;
        prompts.push(turn.text);
        if (what === 'tokens') {
          const usage = { totalTokens: Number(count), inputTokens: Number(count), outputTokens: 0 };
          return { stopReason: 'end_turn', usage } as PromptResponse;
        }
        if (what === 'spend') left.set(id, Number(count));
        while ((left.get(id) ?? 0) > 0 && !turn.signal.aborted) {
          left.set(id, (left.get(id) ?? 0) - 1);
          spent.set(id, (spent.get(id) ?? 0) + 1);
          await turn.usage({ used: 1, size: 10, cost: { amount: spent.get(id) ?? 0, currency: 'USD' } });
          await turn.say(`${spent.get(id)} `);
          // The client has read the report, and perhaps cancelled.
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
        return turn.signal.aborted ? 'cancelled' : 'end_turn';
      },
    }),
  );
  return { ...agent, prompts };
}

interface Opened extends TestClient {
  readonly sessionId: string;
  /** Resolves with the stop reason and the message of the gateway. */
  prompt(text: string, meta?: object): Promise<readonly [string, string | undefined]>;
  /** The questions that it was asked. */
  readonly asked: readonly CreateElicitationRequest[];
}

/** Opens a session with an agent. @param answers to the questions about limits, in order. Undefined: the client has no forms */
async function open(
  gateway: Gateway,
  { answers, principal = owner }: { readonly answers?: readonly object[]; readonly principal?: Principal } = {},
): Promise<Opened> {
  const asked: CreateElicitationRequest[] = [];
  const client = await testClient(gateway, {
    principal,
    ...(answers && {
      capabilities: { elicitation: { form: {} } },
      handlers: {
        'elicitation/create': (request) => {
          asked.push(request);
          return { action: 'accept', content: { ...answers[asked.length - 1] } };
        },
      },
    }),
  });
  const { sessionId } = await client.peer.request('session/new', { cwd, mcpServers: [] });
  return {
    ...client,
    ...{ sessionId, asked },
    prompt: async (text, meta) => {
      const { stopReason, _meta } = await client.peer.request('session/prompt', {
        ...{ sessionId, prompt: words(text) },
        ...(meta && { _meta: { turnwire: meta } }),
      });
      const { stopped } = (_meta?.['turnwire'] ?? {}) as { readonly stopped?: { readonly message: string } };
      return [stopReason, stopped?.message];
    },
  };
}

function gatewayWith(
  agent: TestAgent,
  budgets: readonly Budget[],
  more: { readonly store?: SessionStore; readonly spending?: Spending } = {},
): Gateway {
  const { store = memoryStore(), spending } = more;
  return new Gateway({
    ...{ store, agents: { test: agent.hosted }, cwd },
    metering: { spending: () => ({ ...spending, budgets }) },
  });
}

/** A warning of the gateway, as clients see it that know only the protocol. */
function inMessages(warning: string): string {
  return `[turnwire] ${warning}\n\n`;
}

async function usageOf(client: TestClient, by?: string, days?: unknown): Promise<readonly UsageRow[]> {
  return ((await client.peer.raw.request('_turnwire/usage', { by, days })) as { readonly rows: readonly UsageRow[] })
    .rows;
}

test('a client without our extensions sees a message and a stop reason of the protocol when its turn reaches a limit', async () => {
  const agent = spender();
  await using gateway = gatewayWith(agent, [{ per: 'session', cost: 2 }]);
  const client = await open(gateway);
  const message = 'stopped: the session has cost 3 USD, more than the limit of 2';
  expect(await client.prompt('spend 9')).toEqual(['max_turn_requests', message]);
  expect(client.seen.slice(-2)).toEqual(['3 ', inMessages(message)]);
  // The next prompt does not reach the agent.
  expect(await client.prompt('spend 1')).toEqual(['max_turn_requests', message]);
  expect(agent.prompts).toEqual(['spend 9']);
});

test('the owner is asked by a form, and may continue a paused turn once, raise the limit, or stop', async () => {
  const agent = spender();
  const store = memoryStore();
  await using gateway = gatewayWith(agent, [{ per: 'session', cost: 2 }], { store });
  const client = await open(gateway, {
    answers: [{ answer: 'once' }, { answer: '8' }, { answer: 'stop' }],
  });
  expect(await client.prompt('spend 4')).toEqual(['end_turn', undefined]);
  expect(agent.prompts).toEqual(['spend 4', 'Continue where you stopped.']);
  // The limit holds again for the next prompt, which waits until it is raised.
  expect(await client.prompt('spend 3')).toEqual(['end_turn', undefined]);
  const stopped = 'stopped: the session has cost 9 USD, more than the limit of 8';
  expect(await client.prompt('spend 9')).toEqual(['max_turn_requests', stopped]);
  expect(client.asked.map(({ message }) => message)).toEqual([
    'Paused: the session has cost 3 USD, more than the limit of 2.',
    'Paused: the session has cost 4 USD, more than the limit of 2.',
    'Paused: the session has cost 9 USD, more than the limit of 8.',
  ]);
  expect(client.asked[0]).toMatchObject({
    mode: 'form',
    sessionId: client.sessionId,
    requestedSchema: {
      properties: {
        answer: {
          oneOf: [
            { const: 'once', title: 'Continue this turn' },
            { const: '4', title: 'Raise the limit to 4 USD' },
            { const: '20', title: 'Raise the limit to 20 USD' },
            { const: 'stop', title: 'Stop' },
          ],
        },
      },
    },
  });
  await client.peer.request('session/close', { sessionId: client.sessionId });
  // A raised limit is part of the session, and so is what it has cost.
  const other = await testClient(gateway, { principal: owner });
  const { sessionId } = client;
  await other.peer.request('session/resume', { sessionId, cwd, mcpServers: [] });
  const { _meta } = await other.peer.request('session/prompt', { sessionId, prompt: words('spend 1') });
  expect(_meta).toMatchObject({ turnwire: { stopped: { reason: 'budget', message: stopped } } });
});

test('the last turn that a limit allows includes the reason for a rejection and the continuation after a pause', async () => {
  const prompts: string[] = [];
  const agent = testAgent(
    defineAgent({
      info: { name: 'asker', version: '1.0.0' },
      prompt: async (turn) => {
        prompts.push(turn.text);
        if (turn.text !== 'go') return undefined;
        const call = turn.tool({ title: 'Install', kind: 'execute', rawInput: { command: 'npm i' } });
        await turn.askPermission(call);
        await call.fail('rejected');
        const paused = new Promise((resolve) => turn.signal.addEventListener('abort', resolve));
        await turn.usage({ used: 1, size: 10, cost: { amount: 3, currency: 'USD' } });
        await paused;
        return 'cancelled';
      },
    }),
  );
  const rules = [{ effect: 'deny', text: 'Bash(npm *)', message: 'use pnpm' }] as const;
  await using gateway = new Gateway({
    ...{ store: memoryStore(), agents: { test: agent.hosted }, cwd },
    rules: (_, { ask }) => createPermissions({ project: cwd, rules, ask }),
    metering: { spending: () => ({ budgets: [{ per: 'session', turns: 1, cost: 2 }] }) },
  });
  const client = await open(gateway, { answers: [{ answer: 'once' }] });
  expect(await client.prompt('go')).toEqual(['end_turn', undefined]);
  expect(prompts).toEqual(['go', 'Continue where you stopped.', 'The call “Install” was rejected: use pnpm']);
  expect(client.asked).toHaveLength(1);
});

test('the log has the prompt that continues a paused turn, and the turn ends with the usage of both parts', async () => {
  const agent = testAgent(
    defineAgent({
      info: { name: 'counter', version: '1.0.0' },
      prompt: async (turn) => {
        const isFirst = turn.text === 'go';
        const usage = { totalTokens: isFirst ? 5 : 3, inputTokens: 1, outputTokens: isFirst ? 4 : 2 };
        const paused = new Promise((resolve) => turn.signal.addEventListener('abort', resolve));
        if (isFirst) await turn.usage({ used: 1, size: 10, cost: { amount: 3, currency: 'USD' } });
        if (isFirst) await paused;
        return { stopReason: isFirst ? 'cancelled' : 'end_turn', usage } as PromptResponse;
      },
    }),
  );
  await using gateway = gatewayWith(agent, [{ per: 'session', cost: 2 }]);
  const client = await open(gateway, { answers: [{ answer: 'once' }] });
  const { sessionId } = client;
  const answer = await client.peer.request('session/prompt', { sessionId, prompt: words('go') });
  const { events } = (await client.peer.raw.request('_turnwire/history', { sessionId })) as {
    readonly events: readonly { readonly event: Readonly<Record<string, unknown>> }[];
  };
  const usage = { totalTokens: 8, inputTokens: 2, outputTokens: 6 };
  expect(answer).toMatchObject({ stopReason: 'end_turn', usage });
  expect(
    events.flatMap(({ event: { type, content, usage: reported } }) =>
      type === 'prompt' ? [content] : type === 'turn-ended' ? [reported] : [],
    ),
  ).toEqual([words('go'), words('Continue where you stopped.'), usage]);
});

test('a client that is not the owner cannot decide about a limit', async () => {
  await using gateway = gatewayWith(spender(), [{ per: 'session', turns: 1 }]);
  const guest = await open(gateway, {
    answers: [{ answer: 'once' }],
    principal: { tenant: 'local', scope: 'control' },
  });
  expect(await guest.prompt('spend 1')).toEqual(['end_turn', undefined]);
  expect(await guest.prompt('spend 1')).toEqual([
    'max_turn_requests',
    'stopped: the session has had 1 turn, which is the limit',
  ]);
  expect(guest.asked).toEqual([]);
});

test('sessions share the limits of a day, and users cannot exceed those of a server', async () => {
  const agent = spender();
  await using gateway = gatewayWith(agent, [{ per: 'day', cost: 3, isFixed: true }]);
  const [one, two] = [await open(gateway, { answers: [] }), await open(gateway, { answers: [] })];
  const [elsewhere] = [await open(gateway, { principal: { tenant: 'other', scope: 'control' } })];
  expect(await one.prompt('spend 2')).toEqual(['end_turn', undefined]);
  const over = 'stopped: the sessions of today have cost 4 USD, more than the limit of this server, 3';
  expect(await two.prompt('spend 9')).toEqual(['max_turn_requests', over]);
  expect(await one.prompt('spend 1')).toEqual(['max_turn_requests', over]);
  expect([...one.asked, ...two.asked]).toEqual([]);
  expect(await elsewhere.prompt('spend 3')).toEqual(['end_turn', undefined]);
});

test('a turn that reaches a limit finishes the tool call that runs before it is paused', async () => {
  const agent = testAgent(
    defineAgent({
      info: { name: 'worker', version: '1.0.0' },
      prompt: async (turn) => {
        const tool = turn.tool({ title: 'work', kind: 'execute' });
        await tool.start();
        await turn.usage({ used: 1, size: 10, cost: { amount: 5, currency: 'USD' } });
        await new Promise((resolve) => setTimeout(resolve, 50));
        await turn.say(turn.signal.aborted ? 'cut off' : 'whole');
        await tool.complete();
        // The update reaches the client, which cancels the turn.
        await new Promise((resolve) => setTimeout(resolve, 50));
        return turn.signal.aborted ? 'cancelled' : 'end_turn';
      },
    }),
  );
  await using gateway = gatewayWith(agent, [{ per: 'session', cost: 2 }]);
  const client = await open(gateway);
  expect(await client.prompt('go')).toEqual([
    'max_turn_requests',
    'stopped: the session has cost 5 USD, more than the limit of 2',
  ]);
  expect(client.seen).toContain('whole');
});

test('a cost that the agent does not report is unknown, and a limit of it makes one warning', async () => {
  await using gateway = gatewayWith(spender(), [{ per: 'session', cost: 2, tokens: 7 }]);
  const client = await open(gateway);
  const warning = inMessages('the agent reports no cost, so the limit of 2 has no effect');
  await client.prompt('tokens 3');
  await client.prompt('tokens 3');
  expect(client.seen.filter((text) => text === warning)).toHaveLength(1);
  expect(await client.prompt('tokens 3')).toEqual(['end_turn', undefined]);
  expect(await client.prompt('tokens 3')).toEqual([
    'max_turn_requests',
    'stopped: the session has used 9 tokens, more than the limit of 7',
  ]);
  expect(await usageOf(client, 'model')).toMatchObject([
    { key: 'small', turns: 3, turnsWithoutCost: 3, costs: {}, tokens: { total: 9 } },
  ]);
});

test('tokens without a cost have the prices of the configuration', async () => {
  const spending = { currency: 'EUR', prices: { small: { input: 500_000, output: 0 } } };
  await using gateway = gatewayWith(spender(), [{ per: 'session', cost: 2 }], { spending });
  const client = await open(gateway);
  expect(await client.prompt('tokens 3')).toEqual(['end_turn', undefined]);
  expect(await client.prompt('tokens 3')).toEqual(['end_turn', undefined]);
  const over = 'stopped: the session has cost 3 EUR, more than the limit of 2';
  expect(await client.prompt('tokens 3')).toEqual(['max_turn_requests', over]);
  expect(await usageOf(client)).toMatchObject([{ turns: 2, costs: { EUR: 3 }, turnsWithoutCost: 0 }]);
});

test('a cost is recorded once, although the agent reports the sum of the session, replays it, and restarts', async () => {
  const agent = spender();
  const store = memoryStore();
  const sessionId = await (async () => {
    await using gateway = gatewayWith(agent, [], { store });
    const client = await open(gateway);
    await client.prompt('spend 2');
    await client.prompt('spend 1');
    return client.sessionId;
  })();
  await using gateway = gatewayWith(agent, [], { store });
  const client = await testClient(gateway, { principal: owner });
  await client.peer.request('session/load', { sessionId, cwd, mcpServers: [] });
  await client.peer.request('session/prompt', { sessionId, prompt: words('spend 4') });
  const other = await open(gateway, { principal: { tenant: 'other', scope: 'control' } });
  await other.prompt('spend 1');
  expect(await usageOf(client, 'session')).toMatchObject([
    { key: sessionId, turns: 3, costs: { USD: 7 }, turnsWithoutCost: 0, turnsWithoutTokens: 3 },
  ]);
  // A tenant sees its own.
  expect(await usageOf(other, 'agent')).toMatchObject([{ key: 'test', turns: 1, costs: { USD: 1 } }]);
  await expect(usageOf(client, 'weather')).rejects.toThrow(
    '_turnwire/usage: by is one of agent, model, folder, day, session',
  );
});

test('the usage of a number of days is that of the last days of the server, and of all days without a number', async () => {
  const store = memoryStore();
  const now = new Date();
  const days = [0, 1, 6, 7, 400].map((before) => localDay(now, before));
  for (const day of days)
    await store.recordUsage({
      ...{ id: day, tenant: 'local', session: 's', agent: 'a', model: null, folder: '/', at: 1, day },
      ...{ milliseconds: 1, tokens: null, cost: null, reported: null },
    });
  await using gateway = gatewayWith(spender(), [], { store });
  const client = await testClient(gateway, { principal: owner });
  const shown = [];
  for (const count of [1, 2, 7, 36_500, undefined])
    shown.push((await usageOf(client, 'day', count)).map(({ key }) => key));
  expect(shown).toEqual([days.slice(0, 1), days.slice(0, 2), days.slice(0, 3), days, days]);
  for (const wrong of [0, -1, 1.5, 36_501, '7', null])
    await expect(usageOf(client, 'day', wrong)).rejects.toThrow(
      '_turnwire/usage: days is a whole number from 1 to 36500',
    );
});

test('a limit of the time pauses a turn of an agent that reports nothing', async () => {
  const agent = testAgent(
    defineAgent({
      info: { name: 'sleeper', version: '1.0.0' },
      prompt: async (turn) => {
        await new Promise((resolve) => turn.signal.addEventListener('abort', resolve));
        return 'cancelled' as const;
      },
    }),
  );
  await using gateway = gatewayWith(agent, [{ per: 'session', minutes: 0.001 }]);
  const [reason, message] = await (await open(gateway)).prompt('sleep');
  expect([reason, message?.replace(/[\d.]+(?= minutes)/, 'N')]).toEqual([
    'max_turn_requests',
    'stopped: the session has worked for N minutes, more than the limit of 0.001',
  ]);
});

test('the limit of a prompt of the owner replaces the configured one, and that of others can only lower it', async () => {
  await using gateway = gatewayWith(spender(), [{ per: 'session', cost: 2 }]);
  const [own, guest] = [await open(gateway), await open(gateway, { principal: { tenant: 'other', scope: 'control' } })];
  expect(await own.prompt('spend 4', { limits: { cost: 5 } })).toEqual(['end_turn', undefined]);
  const over = 'stopped: the session has cost 3 USD, more than the limit of 2';
  expect(await guest.prompt('spend 4', { limits: { cost: 5 } })).toEqual(['max_turn_requests', over]);
});

test('a raised limit holds for later prompts with the same limit, and not for those with a lower one', async () => {
  await using gateway = gatewayWith(spender(), []);
  const client = await open(gateway, { answers: [{ answer: '4' }, { answer: '8' }, { answer: 'stop' }] });
  expect(await client.prompt('spend 5', { limits: { cost: 2 } })).toEqual(['end_turn', undefined]);
  expect(await client.prompt('spend 1', { limits: { cost: 2 } })).toEqual(['end_turn', undefined]);
  const over = 'stopped: the session has cost 6 USD, more than the limit of 1';
  expect(await client.prompt('spend 1', { limits: { cost: 1 } })).toEqual(['max_turn_requests', over]);
  expect(client.asked).toHaveLength(3);
});

test('a client of version 2 sees a notice and the same stop reason', async () => {
  await using gateway = gatewayWith(spender(), [{ per: 'session', cost: 2 }]);
  const [near, far] = memoryPair();
  gateway.attach(far, { principal: owner, agent: 'test' });
  const seen: unknown[] = [];
  const peer = connectClient(
    near,
    {
      'session/update': ({ update }) => {
        const { sessionUpdate, title, state, stopReason } = update as Readonly<Record<string, unknown>>;
        if (sessionUpdate === 'notice' || sessionUpdate === 'state_update') seen.push(title ?? stopReason ?? state);
      },
    },
    { edition: v2 },
  );
  await peer.request('initialize', { protocolVersion: 2, info: { name: 'test', version: '1' } });
  const { sessionId } = await peer.request('session/new', { cwd });
  await peer.request('session/prompt', { sessionId, prompt: words('spend 9') });
  await expect
    .poll(() => seen)
    .toEqual(['running', 'stopped: the session has cost 3 USD, more than the limit of 2', 'max_turn_requests']);
});
