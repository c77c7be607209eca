import { once } from 'node:events';
import { invalidParams, ProtocolError } from '@turnwire/protocol';
import { expect, test } from 'vitest';
import * as api from '../src/index.ts';
import { defineAgent, memoryStore } from '../src/index.ts';
import * as node from '../src/node/index.ts';
import { gate, pair } from './agent-pair.ts';

const initialize = { protocolVersion: 1 } as const;

test('the package exports exactly the documented names', () => {
  expect([api, node].map((entry) => Object.keys(entry).toSorted())).toEqual([
    [
      'ProtocolError',
      'TurnwireError',
      'authenticationRequired',
      'defineAgent',
      'errorCodes',
      'invalidParams',
      'memoryStore',
      'resourceNotFound',
      'serveAgent',
    ],
    ['runLocally', 'serveAgent', 'sessionStore'],
  ]);
});

test('defined parts are advertised, and calls of missing parts are refused as unsupported', async () => {
  const plain = await pair({});
  const rich = await pair({ promptCapabilities: { image: true }, additionalDirectories: true });
  expect([plain.client.remote, rich.client.remote]).toEqual([
    {
      protocolVersion: 1,
      agentInfo: { name: 'test', version: '1.0.0' },
      agentCapabilities: {
        loadSession: false,
        promptCapabilities: {},
        mcpCapabilities: {},
        sessionCapabilities: { close: {} },
        auth: {},
      },
      authMethods: [],
    },
    {
      protocolVersion: 1,
      agentInfo: { name: 'test', version: '1.0.0' },
      agentCapabilities: {
        loadSession: false,
        promptCapabilities: { image: true },
        mcpCapabilities: {},
        sessionCapabilities: { close: {}, additionalDirectories: {} },
        auth: {},
      },
      authMethods: [],
    },
  ]);
});

test('a second initialize is refused', async () => {
  const { client } = await pair({});
  await expect(client.request('initialize', initialize)).rejects.toThrow('initialize');
});

test('sessions have their own ids and keep the parameters they were started with', async () => {
  const servers = [{ name: 'files', command: '/bin/files', args: [], env: [] }];
  const seen: unknown[] = [];
  const definition = defineAgent({
    info: { name: 'test', version: '1.0.0' },
    openSession: ({ cwd }) => ({ cwd, prompts: 0 }),
    prompt: ({ session }) => {
      session.memory.prompts += 1;
      seen.push({ cwd: session.cwd, mcpServers: session.mcpServers, memory: { ...session.memory } });
    },
  });
  const { client, prompt } = await pair(definition);
  const first = await client.request('session/new', { cwd: '/a', mcpServers: servers });
  const second = await client.request('session/new', { cwd: '/b', mcpServers: [] });
  for (const { sessionId } of [first, second, first]) await prompt(sessionId, 'hello');
  expect(seen).toEqual([
    { cwd: '/a', mcpServers: servers, memory: { cwd: '/a', prompts: 1 } },
    { cwd: '/b', mcpServers: [], memory: { cwd: '/b', prompts: 1 } },
    { cwd: '/a', mcpServers: servers, memory: { cwd: '/a', prompts: 2 } },
  ]);
  expect(first.sessionId).not.toBe(second.sessionId);
});

test('a session that cannot be opened is refused with the reason', async () => {
  const { client } = await pair({ openSession: () => Promise.reject(invalidParams('there is no such folder')) });
  await expect(client.request('session/new', { cwd: '/', mcpServers: [] })).rejects.toEqual(
    new ProtocolError(-32602, 'there is no such folder'),
  );
});

test.each(['says so', 'says nothing'])(
  'a session given up while its agent opens it, which %s, is not there',
  async (how) => {
    const [opening, closing] = [gate(), gate()];
    const store = memoryStore();
    const { client, logged } = await pair({
      store,
      openSession: async (_, signal) => {
        opening.open();
        await once(signal, 'abort');
        if (how === 'says nothing') return;
        closing.open();
        signal.throwIfAborted();
      },
      closeSession: closing.open,
    });
    const giveUp = new AbortController();
    const answer = client.request('session/new', { cwd: '/', mcpServers: [] }, { signal: giveUp.signal });
    await opening.opened;
    giveUp.abort();
    await expect(answer).rejects.toMatchObject({ code: 'cancelled' });
    await closing.opened;
    await expect.poll(() => client.request('session/list', {})).toEqual({ sessions: [] });
    expect(logged).toEqual([]);
  },
);

test('a session whose options throw is not created', async () => {
  const store = memoryStore();
  const closed: string[] = [];
  const { client } = await pair({
    store,
    configOptions: () => {
      throw invalidParams('there are no models');
    },
    closeSession: ({ id }) => void closed.push(id),
  });
  await expect(client.request('session/new', { cwd: '/', mcpServers: [] })).rejects.toThrow('there are no models');
  expect([closed.length, await store.list({})]).toEqual([1, { sessions: [] }]);
});

test('a relative working directory is refused', async () => {
  const { agent, client } = await pair({}, { client: {} });
  await expect(client.request('session/new', { cwd: 'here', mcpServers: [] })).rejects.toThrow('cwd');
  await agent.close();
});

test('a prompt for an unknown session is answered -32002 with its id', async () => {
  const { prompt } = await pair({});
  await expect(prompt('nowhere', 'hello')).rejects.toEqual(
    new ProtocolError(-32002, 'Session not found: nowhere', { sessionId: 'nowhere' }),
  );
});

test('closing a session cancels its turns, calls closeSession and makes its id unknown', async () => {
  const closed: string[] = [];
  const { client, open, prompt } = await pair({
    prompt: ({ signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
    closeSession: ({ id }) => void closed.push(id),
  });
  const id = await open();
  const running = prompt(id, 'hello');
  await client.request('session/close', { sessionId: id });
  expect([await running, closed]).toEqual([{ stopReason: 'cancelled' }, [id]]);
  await expect(client.request('session/close', { sessionId: id })).rejects.toEqual(
    new ProtocolError(-32002, `Session not found: ${id}`, { sessionId: id }),
  );
});

test('sessions are cancelled and closed when the client disconnects', async () => {
  const closed: string[] = [];
  const started = gate();
  const { agent, client, open, prompt } = await pair(
    {
      prompt: ({ signal }) => {
        started.open();
        return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
      },
      closeSession: ({ id }) => void closed.push(id),
    },
    { limits: { drain: 0 } },
  );
  const id = await open();
  const running = prompt(id, 'hello').catch((error: unknown) => error);
  await started.opened;
  await client.close();
  expect([await running, await agent.closed, closed]).toEqual([
    expect.objectContaining({ code: 'connection-closed' }),
    { by: 'remote' },
    [id],
  ]);
});

test('custom methods are answered, undefined ones are refused', async () => {
  const { client } = await pair({ extensions: { '_test/double': (params) => ({ twice: Number(params) * 2 }) } });
  expect(await client.request('_test/double', 21 as never)).toEqual({ twice: 42 });
  await expect(client.request('_test/triple', {})).rejects.toEqual(
    new ProtocolError(-32601, 'Method not found: _test/triple', { method: '_test/triple' }),
  );
});
