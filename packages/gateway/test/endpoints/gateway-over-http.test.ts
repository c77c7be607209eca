import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectClient, type Peer, protocolVersion, type Transport } from '@turnwire/protocol';
import { connectHttp } from '@turnwire/transports/http';
import { connectWebSocket } from '@turnwire/transports/websocket/node';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { TokenFile } from '../../src/auth/token-file.ts';
import type { Scope } from '../../src/auth/principal.ts';
import { type HttpServer, openHttpServer } from '../../src/endpoints/index.ts';
import { Gateway } from '../../src/gateway.ts';
import { sqliteStore } from '@turnwire/runtime';
import { testAgent } from '../attached-agent.ts';
import { words } from '../gateway-client.ts';

const cwd = tmpdir();
let tokens: TokenFile;
let server: HttpServer;

beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'turnwire-gateway-'));
  tokens = new TokenFile(join(folder, 'tokens.json'));
  const store = sqliteStore({ path: join(folder, 'sessions.sqlite') });
  const info = { name: 'echo', version: '1.0.0' };
  const { hosted } = testAgent({ info, prompt: (turn) => turn.say(`You said: ${turn.text}`) });
  const gateway = new Gateway({ store, agents: { echo: hosted }, cwd });
  server = await openHttpServer({ agents: ['echo'], tokens }, (transport, to) => gateway.attach(transport, to));
  onTestFinished(async () => {
    await server.close();
    await gateway.close();
    await store.close();
    await rm(folder, { recursive: true, force: true });
  });
});

interface Client {
  readonly peer: Peer<'client'>;
  /** The texts that the client received. */
  readonly seen: readonly string[];
}

/** Connects on behalf of a tenant. */
async function client(tenant: string, { scope = 'control' as Scope, over = 'websocket' } = {}): Promise<Client> {
  const { token } = await tokens.create({ label: 'test', tenant, scope, expiresAt: null });
  const options = { headers: { authorization: `Bearer ${token}` } };
  const transport: Transport =
    over === 'http' ? connectHttp(server.url, options) : connectWebSocket(server.webSocketUrl, options);
  onTestFinished(async () => transport[Symbol.asyncDispose]());
  const seen: string[] = [];
  const peer = connectClient(transport, {
    'session/update': ({ update }) => {
      if (update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text')
        seen.push(update.content.text);
    },
  });
  await peer.request('initialize', {
    protocolVersion,
    clientCapabilities: {},
    clientInfo: { name: 'test', version: '1' },
  });
  return { peer, seen };
}

test.each(['websocket', 'http'])('a session runs over %s, and another client loads it whole', async (over) => {
  const one = await client('ada', { over });
  const { sessionId } = await one.peer.request('session/new', { cwd, mcpServers: [] });
  const { stopReason } = await one.peer.request('session/prompt', { sessionId, prompt: words('hello') });
  const other = await client('ada', { over });
  await other.peer.request('session/load', { sessionId, cwd, mcpServers: [] });
  expect({ stopReason, one: one.seen, other: other.seen }).toEqual({
    stopReason: 'end_turn',
    one: ['You said: hello'],
    other: ['You said: hello'],
  });
});

test.each(['websocket', 'http'])(
  'a history that exceeds the output limit of a client is loaded whole over %s',
  async (over) => {
    const one = await client('ada', { over });
    const { sessionId } = await one.peer.request('session/new', { cwd, mcpServers: [] });
    const text = 'x'.repeat(400_000);
    for (let count = 0; count < 4; count++)
      await one.peer.request('session/prompt', { sessionId, prompt: words(`${count}${text}`) });
    const other = await client('ada', { over });
    await other.peer.request('session/load', { sessionId, cwd, mcpServers: [] });
    expect(other.seen.map((each) => [each.slice(0, 11), each.length])).toEqual(
      Array.from({ length: 4 }, (_, count) => [`You said: ${count}`, 400_011]),
    );
  },
);

test('a session of another tenant is refused like an unknown one', async () => {
  const ada = await client('ada');
  const bob = await client('bob', { scope: 'admin' });
  const { sessionId } = await ada.peer.request('session/new', { cwd, mcpServers: [] });
  const refusal = async (id: string): Promise<unknown> => {
    const loading = bob.peer.request('session/load', { sessionId: id, cwd, mcpServers: [] });
    const error = (await loading.catch((reason: unknown) => reason)) as { code: number; message: string };
    return [error.code, error.message.replace(id, 'ID')];
  };
  const unknown = await refusal('none');
  expect(await refusal(sessionId)).toEqual(unknown);
  expect((await bob.peer.request('session/list', {})).sessions).toEqual([]);
});

test("a client with an observer's token cannot prompt, whatever it claims", async () => {
  const ada = await client('ada');
  const watcher = await client('ada', { scope: 'observe' });
  const { sessionId } = await ada.peer.request('session/new', { cwd, mcpServers: [] });
  const _meta = { turnwire: { role: 'control', scope: 'admin' } };
  await watcher.peer.request('session/resume', { sessionId, cwd, _meta });
  await expect(watcher.peer.request('session/prompt', { sessionId, prompt: words('hello'), _meta })).rejects.toThrow(
    'This client may only watch: it is connected as an observer',
  );
  expect(ada.seen).toEqual([]);
});
