import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as officialHttp from '@agentclientprotocol/sdk/experimental/http-client';
import * as officialNode from '@agentclientprotocol/sdk/experimental/node';
import * as officialServer from '@agentclientprotocol/sdk/experimental/server';
import * as officialSocket from '@agentclientprotocol/sdk/experimental/ws-client';
import * as ourHttp from '@turnwire/sdk-compat/experimental/http-client';
import * as ourNode from '@turnwire/sdk-compat/experimental/node';
import * as ourServer from '@turnwire/sdk-compat/experimental/server';
import * as ourSocket from '@turnwire/sdk-compat/experimental/ws-client';
import { afterEach, describe, expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { bothPackages, type Sdk } from './both-packages.ts';

/** The remote entries of one package, under the types of ours. */
interface Remote {
  readonly sdk: Sdk;
  readonly AcpServer: typeof ourServer.AcpServer;
  readonly createNodeHttpHandler: typeof ourNode.createNodeHttpHandler;
  readonly createNodeWebSocketUpgradeHandler: typeof ourNode.createNodeWebSocketUpgradeHandler;
  readonly createHttpStream: typeof ourHttp.createHttpStream;
  readonly createWebSocketStream: typeof ourSocket.createWebSocketStream;
}

const [[, officialSdk], [, ourSdk]] = bothPackages as readonly [readonly [string, Sdk], readonly [string, Sdk]];
const official = {
  sdk: officialSdk,
  ...officialServer,
  ...officialNode,
  ...officialHttp,
  ...officialSocket,
} as unknown as Remote;
const ours: Remote = { sdk: ourSdk, ...ourServer, ...ourNode, ...ourHttp, ...ourSocket };

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

/** An agent that asks for a permission, on a server of Node. */
async function served({ sdk, ...remote }: Remote): Promise<string> {
  const agent = () =>
    sdk
      .agent()
      .onConnect(({ client }) => void client.notify('_connected', {}))
      .onRequest('initialize', () => ({ protocolVersion: 1 }))
      .onRequest('session/new', () => ({ sessionId: 'first' }))
      .onRequest('session/prompt', async ({ params: { sessionId }, client }) => {
        const { outcome } = await client.request('session/request_permission', {
          sessionId,
          toolCall: { toolCallId: 'call' },
          options: [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }],
        });
        await client.notify('session/update', {
          sessionId,
          update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: JSON.stringify(outcome) } },
        });
        return { stopReason: 'end_turn' };
      });
  const acp = new remote.AcpServer({ createAgent: agent });
  const server = createServer(remote.createNodeHttpHandler(acp));
  server.on('upgrade', remote.createNodeWebSocketUpgradeHandler(acp, new WebSocketServer({ noServer: true }) as never));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  stops.push(
    () => server.close(),
    () => server.closeAllConnections(),
    () => acp.close(),
  );
  return `127.0.0.1:${(server.address() as AddressInfo).port}/acp`;
}

/** Runs a turn, and returns what the client saw. The protocol leaves the order of answers and extensions open. */
async function turn(sdk: Sdk, stream: ReturnType<Sdk['ndJsonStream']>): Promise<object> {
  const seen = { answers: [] as unknown[], updates: [] as unknown[], notes: [] as unknown[] };
  const client = sdk
    .client()
    .onNotification(
      '_connected',
      (params) => params,
      ({ method }) => void seen.notes.push(method),
    )
    .onNotification('session/update', ({ params }) => void seen.updates.push(params.update))
    .onRequest('session/request_permission', ({ params: { options } }) => ({
      outcome: { outcome: 'selected', optionId: options[0]?.optionId ?? '' },
    }));
  await client.connectWith(stream, async (agent) => {
    seen.answers.push(await agent.request('initialize', { protocolVersion: 1 }));
    const { sessionId } = await agent.request('session/new', { cwd: '/', mcpServers: [] });
    seen.answers.push(await agent.request('session/prompt', { sessionId, prompt: [] }));
  });
  return seen;
}

const whole = {
  answers: [{ protocolVersion: 1 }, { stopReason: 'end_turn' }],
  updates: [
    {
      sessionUpdate: 'agent_message_chunk',
      content: { type: 'text', text: '{"outcome":"selected","optionId":"yes"}' },
    },
  ],
  notes: ['_connected'],
};

describe.each([
  ['both ends of this package', ours, ours],
  ['the official client and the server of this package', official, ours],
  ['the client of this package and the official server', ours, official],
] as const)('%s run a turn', (_, client, server) => {
  test('over HTTP', async () => {
    const url = `http://${await served(server)}`;
    expect(await turn(client.sdk, client.createHttpStream(url))).toEqual(whole);
  });

  test('over HTTP with streams that the program wraps', async () => {
    const url = `http://${await served(server)}`;
    const { readable, writable } = client.createHttpStream(url);
    const wrapped = { readable: readable.pipeThrough(new TransformStream()), writable };
    expect(await turn(client.sdk, wrapped)).toEqual(whole);
  });

  test('over a WebSocket', async () => {
    const url = `ws://${await served(server)}`;
    expect(await turn(client.sdk, client.createWebSocketStream(url, { WebSocket: WebSocket as never }))).toEqual(whole);
  });
});

test('a request may choose the agent of its connection', async () => {
  const agent = (name: string) => () =>
    ourSdk.agent().onRequest('initialize', () => ({ protocolVersion: 1, agentInfo: { name, version: '1' } }));
  const server = new ourServer.AcpServer({ createAgent: agent('default') });
  stops.push(() => server.close());
  const ask = async (options?: ourServer.HandleRequestOptions) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: 1 } });
    const headers = { 'content-type': 'application/json' };
    const response = await server.handleRequest(
      new Request('http://any.example/any', { method: 'POST', headers, body }),
      options,
    );
    return ((await response.json()) as { readonly result: { readonly agentInfo: { readonly name: string } } }).result
      .agentInfo.name;
  };
  expect(await Promise.all([ask(), ask({ createAgent: agent('chosen') }), ask()])).toEqual([
    'default',
    'chosen',
    'default',
  ]);
});

test('an agent that is a class of version 1 serves connections', async () => {
  const createLegacyAgent = (): never => ({ initialize: () => ({ protocolVersion: 1 }) }) as never;
  const server = new ourServer.AcpServer({ createLegacyAgent });
  const upgrade = server.prepareWebSocketUpgrade();
  const sent = new Promise((resolve) => {
    const listeners = new Map<string, (event: unknown) => void>();
    upgrade.accept({
      send: (text) => resolve(JSON.parse(text)),
      close: () => listeners.get('close')?.({}),
      addEventListener: (type, listener) => void listeners.set(type, listener),
    });
    listeners.get('message')?.({
      data: '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1}}',
    });
  });
  stops.push(() => server.close());
  expect(await sent).toEqual({ jsonrpc: '2.0', id: 0, result: { protocolVersion: 1 } });
});

test('a body that is too long is refused, and cookies of the caller win over stored ones', async () => {
  const server = createServer(
    ourNode.createNodeHttpHandler(new ourServer.AcpServer({ agent: ourSdk.agent() }), { maxRequestBodyBytes: 4 }),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  stops.push(() => server.close());
  const { port } = server.address() as AddressInfo;
  const { status } = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: '12345' });
  const cookies = new ourHttp.MemoryAcpCookieStore();
  cookies.store(
    new Headers([
      ['set-cookie', 'route=a; Path=/'],
      ['set-cookie', 'other=b; Expires=Wed, 21 Oct 2030 07:28:00 GMT'],
    ]),
  );
  const headers = new Headers({ cookie: 'route=mine' });
  cookies.apply(headers);
  expect([status, headers.get('cookie')]).toEqual([413, 'route=mine; other=b']);
});

test('the socket of a page of another site is refused', async () => {
  const url = `ws://${await served(ours)}`;
  const socket = new WebSocket(url, { headers: { origin: 'https://evil.example' } });
  const [error] = (await once(socket, 'error')) as [Error];
  expect(error.message).toBe('Unexpected server response: 403');
});

test.each([
  ['createHttpStream', 'experimental/http-client'],
  ['ndJsonStream', 'dist/stream.js'],
])('%s is exported by %s', async (name, entry) => {
  expect(await import(`@turnwire/sdk-compat/${entry}`)).toHaveProperty(name);
});

test('entries that this package does not have say what to use', async () => {
  const { McpOverAcpHttpBridge } = await import('@turnwire/sdk-compat/experimental/mcp-http');
  const { fromMcpServer } = await import('@turnwire/sdk-compat/experimental/mcp-server');
  const errors = [
    await import('@turnwire/sdk-compat/experimental/nes').catch((error: unknown) => (error as Error).message),
    messageOf(() => new McpOverAcpHttpBridge()),
    messageOf(() => fromMcpServer(() => undefined)),
  ];
  expect(errors).toEqual([
    expect.stringMatching(/^@turnwire\/sdk-compat lacks the entry "\/experimental\/nes": handle the methods nes/),
    expect.stringMatching(/^@turnwire\/sdk-compat lacks McpOverAcpHttpBridge: handle requests/),
    expect.stringMatching(/^@turnwire\/sdk-compat lacks fromMcpServer: handle requests/),
  ]);
});

function messageOf(run: () => unknown): string | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
