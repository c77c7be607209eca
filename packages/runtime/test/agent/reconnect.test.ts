import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { attachAgent } from '@turnwire/client';
import type { ReconnectOptions } from '@turnwire/runtime';
import { connectAgent, ProtocolError, RelayedFrames, type Transport } from '@turnwire/protocol';
import { connectHttp } from '@turnwire/transports/http';
import { serveHttp } from '@turnwire/transports/http/node';
import { memoryPair } from '@turnwire/transports/memory';
import { stdioTransport } from '@turnwire/transports/stdio';
import { connectWebSocket, serveWebSockets } from '@turnwire/transports/websocket/node';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { Reconnecting } from '../../src/agent/reconnecting.ts';
import { type DrivenOptions, DrivenSession } from '../driven-session.ts';

const agentPath = fileURLToPath(new URL('fixtures/forgetful-agent.mjs', import.meta.url));
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'turnwire-reconnect-'));
  return () => rm(folder, { recursive: true, force: true });
});

type Scheme = 'ws' | 'http';

/** A server whose every connection has a process of the forgetful agent. */
class Remote {
  #server = createServer();
  readonly #offers: readonly string[];
  readonly #scheme: Scheme;
  port = 0;

  constructor(scheme: Scheme, offers: readonly string[]) {
    this.#scheme = scheme;
    this.#offers = offers;
  }

  get url(): string {
    return `${this.#scheme}://127.0.0.1:${this.port}/acp`;
  }

  async listen(accepts = true): Promise<void> {
    this.#server = createServer().listen(this.port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.port = (this.#server.address() as AddressInfo).port;
    const serve = { ws: serveWebSockets, http: serveHttp }[this.#scheme];
    serve(this.#server, { authorize: () => accepts }, (transport) => this.#run(transport));
  }

  /** Cuts every line, as a network does, and listens no more. */
  async cut(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  readonly #sockets = new Set<{ destroy(): void }>();

  #run(transport: Transport): void {
    const child = spawn(process.execPath, [agentPath, folder, ...this.#offers], { stdio: ['pipe', 'pipe', 'inherit'] });
    const local = stdioTransport({ input: child.stdout, output: child.stdin });
    const frames = new RelayedFrames();
    local.start({
      frame: (text) => transport.send(text, frames.read('agent', text)),
      warning: () => undefined,
      end: () => void transport.close(),
    });
    transport.start({
      frame: (text) => {
        frames.read('client', text);
        return local.send(text);
      },
      warning: () => undefined,
      end: () => child.kill(),
    });
  }

  watch(): void {
    this.#server.on('connection', (socket) => this.#sockets.add(socket));
  }
}

async function remote(scheme: Scheme, ...offers: readonly string[]): Promise<Remote> {
  const server = new Remote(scheme, offers);
  await server.listen();
  server.watch();
  onTestFinished(() => server.cut().catch(() => undefined));
  return server;
}

function open({ url }: Remote, reconnect: ReconnectOptions): DrivenSession {
  const connect = (): Transport => (url.startsWith('ws') ? connectWebSocket(url) : connectHttp(url));
  const start: DrivenOptions['start'] = (signal) => attachAgent(connect(), { signal });
  const session = new DrivenSession({ start, cwd: folder, reconnect });
  onTestFinished(() => session.close());
  return session;
}

function boundaries({ transcript }: DrivenSession): readonly string[] {
  return [...transcript.entries].flatMap((entry) => (entry.type === 'boundary' ? [entry.message] : []));
}

describe.each<Scheme>(['ws', 'http'])('over %s', (scheme) => {
  test('a connection that breaks in a turn is made again, and the session continues behind a boundary', async () => {
    const server = await remote(scheme, 'resume');
    const session = open(server, { first: 1, most: 50 });
    await session.opened;
    await session.prompt('first');
    const seen = new Set<string>();
    session.onChange(() => seen.add(session.state.name));
    const turn = session.prompt('hang');
    await expect.poll(() => session.state.name).toBe('working');
    await server.cut();
    await expect(turn).rejects.toMatchObject({ code: 'connection-closed' });
    await server.listen();
    await expect.poll(() => session.state.name).toBe('ready');
    expect({ tried: seen.has('reconnecting'), died: seen.has('dead') }).toEqual({ tried: true, died: false });
    expect(boundaries(session)).toEqual([
      'The connection to the agent broke and was restored. It knows the earlier conversation.',
    ]);
    expect(await session.prompt('second')).toEqual({ stopReason: 'end_turn' });
  });

  test('after the last attempt the agent is dead, and waiting prompts fail', async () => {
    const server = await remote(scheme, 'resume');
    const session = open(server, { first: 1, attempts: 2 });
    await session.opened;
    const attempts = new Set<number>();
    session.onChange(() => {
      if (session.state.name === 'reconnecting') attempts.add(session.state.attempt);
    });
    await server.cut();
    await expect.poll(() => session.state.name).toBe('dead');
    expect([...attempts]).toEqual([1, 2]);
  });

  test('after refused credentials there is no further attempt', async () => {
    const server = await remote(scheme, 'resume');
    const session = open(server, { first: 1 });
    await session.opened;
    const messages = new Set<string>();
    session.onChange(() => {
      const { state } = session;
      if (state.name === 'reconnecting' || state.name === 'dead') messages.add(`${state.name}: ${state.message}`);
    });
    await server.cut();
    await server.listen(false);
    // Listeners learn of a state a moment after it is there.
    await expect.poll(() => [...messages].at(-1)).toMatch(/^dead: the server .*401 Unauthorized/);
    const afterRefusal = [...messages].filter(
      (message) => message.startsWith('reconnecting') && message.includes('401'),
    );
    expect(afterRefusal).toEqual([]);
  });
});

test('while the broken connection still uses the session, attempts continue and no new session begins', async () => {
  let refusals = 2;
  const definition = (): Transport => {
    const [near, far] = memoryPair();
    connectAgent(far, {
      initialize: () => ({ protocolVersion: 1, agentCapabilities: { sessionCapabilities: { resume: {} } } }),
      'session/new': () => ({ sessionId: 'one' }),
      'session/resume': () => {
        refusals -= 1;
        if (refusals >= 0) throw new ProtocolError(-32603, 'in use');
        return {};
      },
      'session/prompt': () => {
        setTimeout(() => void far.close(), 1);
        return { stopReason: 'end_turn' };
      },
    });
    return near;
  };
  const session = new DrivenSession({
    start: (signal) => attachAgent(definition(), { signal }),
    cwd: folder,
    reconnect: { first: 1 },
  });
  onTestFinished(() => session.close());
  await session.opened;
  await session.prompt('end');
  await expect.poll(() => boundaries(session)).toHaveLength(1);
  expect({ state: session.state.name, refusals, id: session.session?.id }).toEqual({
    state: 'ready',
    refusals: -1,
    id: 'one',
  });
});

test('a prompt makes the next attempt at once', async () => {
  const server = await remote('ws', 'load');
  const session = open(server, { first: 3_600_000, most: 3_600_000 });
  await session.opened;
  await server.cut();
  await expect.poll(() => session.state.name).toBe('reconnecting');
  await server.listen();
  expect(await session.prompt('first')).toEqual({ stopReason: 'end_turn' });
});

test('closing a session ends its attempts', async () => {
  const server = await remote('ws', 'load');
  const session = open(server, { first: 3_600_000, most: 3_600_000 });
  await session.opened;
  await server.cut();
  await expect.poll(() => session.state.name).toBe('reconnecting');
  await session.close();
  expect(session.state).toEqual({ name: 'closed' });
});

describe('the delays between attempts', () => {
  const never = 3_600_000;

  test('delays continue to grow if a connection breaks again at once', () => {
    const reconnecting = new Reconnecting({ first: never, most: 8 * never, jitter: 0 });
    const delays = [1, 2, 3].map(() => {
      reconnecting.broke();
      const { until = 0 } = reconnecting.next() ?? {};
      reconnecting.made();
      return Math.round((until - Date.now()) / never);
    });
    expect(delays).toEqual([1, 2, 4]);
  });

  test.each(['online', 'visibilitychange'])('the delay ends at the %s event of a page', async (type) => {
    const [page, document] = [new EventTarget(), Object.assign(new EventTarget(), { visibilityState: 'visible' })];
    Object.assign(globalThis, { addEventListener: page.addEventListener.bind(page), document });
    onTestFinished(() => {
      Reflect.deleteProperty(globalThis, 'addEventListener');
      Reflect.deleteProperty(globalThis, 'document');
    });
    const reconnecting = new Reconnecting({ first: never });
    const due = reconnecting.due({ attempt: 1, until: Date.now() + never }, new AbortController().signal);
    (type === 'online' ? page : document).dispatchEvent(new Event(type));
    await expect(due).resolves.toBeUndefined();
  });
});
