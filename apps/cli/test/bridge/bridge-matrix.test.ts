import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import * as official from '@agentclientprotocol/sdk';
import { createHttpStream } from '@agentclientprotocol/sdk/experimental/http-client';
import { createWebSocketStream } from '@agentclientprotocol/sdk/experimental/ws-client';
import { attachAgent } from '@turnwire/client';
import { protocolVersions } from '@turnwire/client/v2';
import { Gateway, TokenFile } from '@turnwire/gateway';
import { openHttpServer } from '@turnwire/gateway/endpoints';
import { type HostedAgent, memoryStore } from '@turnwire/runtime';
import { webStreamTransport } from '@turnwire/transports/web-streams';
import { afterAll, beforeAll, test } from 'vitest';
import { WebSocket } from 'ws';
import { commandWords, plainEnvironment } from '../command.ts';
import { bridgeClient, type BridgeClient, type Spoken, type Stream } from './bridge-clients.ts';
import { firstConnection, secondConnection, withNames } from './bridge-session.ts';
import { agents } from './official-agents.mjs';
import { stories } from './stories.ts';

let folder = '';
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'turnwire-bridge-')));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await rm(`${folder}-state`, { recursive: true, force: true, maxRetries: 5 });
});

interface Agent {
  connect(stream: Stream): unknown;
}

/** Opens connections to one agent behind a gateway. */
interface Bridge extends AsyncDisposable {
  readonly connect: (client: Spoken) => Promise<BridgeClient>;
}

/** A gateway in this process, with an agent of the official package in this process. */
async function served(agent: Spoken, over: 'WebSocket' | 'HTTP'): Promise<Bridge> {
  const start: HostedAgent['start'] = (options) => {
    const [toAgent, toClient] = [new TransformStream<Uint8Array>(), new TransformStream<Uint8Array>()];
    const scripted = (agents as Readonly<Record<Spoken, () => Agent>>)[agent]();
    scripted.connect(official.ndJsonStream(toClient.writable, toAgent.readable));
    const transport = webStreamTransport({ readable: toClient.readable, writable: toAgent.writable });
    return attachAgent(transport, { ...options, versions: protocolVersions([1, 2]) });
  };
  const gateway = new Gateway({ store: memoryStore(), agents: { agent: { start } }, cwd: folder });
  const tokens = new TokenFile(join(folder, `${agent}-${over}.json`));
  const { token } = await tokens.create({ label: 'test', tenant: 'local', scope: 'control', expiresAt: null });
  const server = await openHttpServer({ agents: ['agent'], tokens }, (transport, to) => gateway.attach(transport, to));
  const headers = { authorization: `Bearer ${token}` };
  const stream = (): Stream =>
    over === 'HTTP'
      ? createHttpStream(server.url, { headers })
      : createWebSocketStream(server.webSocketUrl, { headers, WebSocket: WebSocket as never });
  return {
    connect: (client) => bridgeClient(client, stream()),
    [Symbol.asyncDispose]: async () => {
      await server.close();
      await gateway.close();
    },
  };
}

/** The command between the client's pipe and the agent's process. Each connection is a process. */
function proxied(agent: Spoken): Bridge {
  const state = join(`${folder}-state`, `proxy-${Math.random()}`);
  const env = { ...plainEnvironment, XDG_STATE_HOME: state, XDG_DATA_HOME: state };
  const program = [process.execPath, fileURLToPath(new URL('official-agents.mjs', import.meta.url)), agent];
  const words = [...commandWords, '--cwd', folder, '--protocol', '2', 'proxy', '--', ...program];
  const exits: (() => Promise<unknown>)[] = [];
  return {
    connect: (client) => {
      const child = spawn(process.execPath, words, { env, stdio: ['pipe', 'pipe', 'inherit'] });
      const exited = once(child, 'exit');
      exits.push(() => (child.kill('SIGTERM'), exited));
      const output = Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>;
      return bridgeClient(client, official.ndJsonStream(Writable.toWeb(child.stdin), output));
    },
    [Symbol.asyncDispose]: async () => void (await Promise.all(exits.map((exit) => exit()))),
  };
}

/** What a client sees of an agent in two connections: answers first, then messages in their order. */
async function story(client: Spoken, bridge: Bridge): Promise<readonly string[]> {
  const lines: string[] = [];
  const line = (text: string): void => void lines.push(text);
  const first = await bridge.connect(client);
  const sessionId = await firstConnection(first, folder, line);
  await first.close();
  const second = await bridge.connect(client);
  await secondConnection(second, { sessionId, cwd: folder }, line);
  await second.close();
  return withNames(lines, { SESSION: sessionId, FOLDER: folder });
}

const spoken = ['1', '2', 'both'] as const;
const cases = (['the proxy', 'WebSocket', 'HTTP'] as const).flatMap((over) =>
  spoken.flatMap((client) => spoken.map((agent) => ({ over, client, agent }))),
);

test.concurrent.for(cases)(
  'a client of version $client has a session with an agent of version $agent over $over',
  async (pair, { expect }) => {
    const { over, client, agent } = pair;
    await using bridge = over === 'the proxy' ? proxied(agent) : await served(agent, over);
    const seen = await story(client, bridge);
    expect(seen).toEqual(stories[`${client === '1' ? 1 : 2} ${agent === '1' ? 1 : 2}`]);
  },
);
