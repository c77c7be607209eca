import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { connectClient, protocolVersion, type Transport } from '@turnwire/protocol';
import { connectHttp } from '@turnwire/transports/http';
import { connectWebSocket } from '@turnwire/transports/websocket/node';
import { expect, test } from 'vitest';
import { within } from '../../../tools/pace.ts';
import { memoryStore } from '../src/index.ts';
import { type ListeningAgent, serveAgent } from '../src/node/index.ts';

const headers = { authorization: 'Bearer t' };
/** Cuts at every so many bytes; `TURNWIRE_EVERY_BYTE=1` cuts at every one, which takes a minute or two. */
const steps = process.env['TURNWIRE_EVERY_BYTE'] === undefined ? { ws: 7, http: 41 } : { ws: 1, http: 1 };

/** A connection to a port that is cut once this many bytes have passed, in both directions together. */
class Line implements AsyncDisposable {
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer((near) => this.#join(near));
  readonly #target: number;
  #left: number;
  passed = 0;

  constructor(target: number, bytes: number) {
    this.#target = target;
    this.#left = bytes;
  }

  async listen(): Promise<number> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return (this.#server.address() as AddressInfo).port;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#cut();
    await closed;
  }

  #cut(): void {
    this.#left = 0;
    for (const socket of this.#sockets) socket.destroy();
  }

  #join(near: Socket): void {
    if (this.#left <= 0) return void near.destroy();
    const far = connect(this.#target, '127.0.0.1');
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(from);
      from.on('error', () => from.destroy());
      from.on('close', () => to.destroy());
      from.on('data', (bytes: Buffer) => this.#pass(bytes, to));
    }
  }

  #pass(bytes: Buffer, to: Socket): void {
    const some = bytes.subarray(0, this.#left);
    this.#left -= some.length;
    this.passed += some.length;
    if (this.#left > 0) return void to.write(some);
    // What has passed arrives; then there is nothing any more.
    to.write(some, () => this.#cut());
  }
}

const options = [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' as const }];

/** The outcomes of the agent's turns. */
interface Turns {
  begun: number;
  ended: number;
}

function askingAgent(turns: Turns): Promise<ListeningAgent> {
  return serveAgent(
    {
      info: { name: 'a', version: '1' },
      store: memoryStore(),
      prompt: async (turn) => {
        turns.begun++;
        try {
          await turn.say('one');
          const tool = turn.tool({ title: 'May it?' });
          await turn.askPermission(tool, options);
          await tool.complete();
        } finally {
          turns.ended++;
        }
      },
    },
    // An agent whose client is gone for good notices soon.
    { listen: { token: 't', silence: within(2_000) } },
  );
}

function transportTo(scheme: 'ws' | 'http', port: number): Transport {
  const url = `${scheme}://127.0.0.1:${port}/acp`;
  return scheme === 'ws' ? connectWebSocket(url, { headers }) : connectHttp(url, { headers });
}

type Settled = 'done' | { readonly code: string };

/** A whole turn over a line. @returns how each call ended, and the session if there was one */
async function wholeTurn(
  transport: Transport,
): Promise<{ readonly calls: readonly Settled[]; readonly sessionId: string }> {
  const peer = connectClient(transport, {
    'session/update': () => undefined,
    'session/request_permission': () => ({ outcome: { outcome: 'selected', optionId: 'yes' } }),
  });
  const calls: Settled[] = [];
  const settled = async <Value>(call: Promise<Value>): Promise<Value | undefined> => {
    try {
      const value = await call;
      calls.push('done');
      return value;
    } catch (error) {
      calls.push({ code: (error as { code: string }).code });
      return undefined;
    }
  };
  await settled(peer.request('initialize', { protocolVersion, clientCapabilities: {} }));
  const session = await settled(peer.request('session/new', { cwd: '/', mcpServers: [] }));
  const sessionId = session?.sessionId ?? '';
  const list = settled(peer.request('session/list', { cwd: '/elsewhere' }));
  const prompt = { sessionId, prompt: [{ type: 'text' as const, text: 'go' }] };
  await Promise.all([list, settled(peer.request('session/prompt', prompt))]);
  await peer.close();
  return { calls, sessionId };
}

const lost = { code: 'connection-closed' };

test.each(['ws', 'http'] as const)(
  'a line over %s cut at any byte fails pending requests with the reason, and the session can be loaded afterwards',
  async (scheme) => {
    const turns: Turns = { begun: 0, ended: 0 };
    await using agent = await askingAgent(turns);
    const target = Number(new URL(agent.url).port);
    const sessions: string[] = [];
    const cutAt = async (bytes: number): Promise<{ readonly passed: number; readonly isWhole: boolean }> => {
      await using line = new Line(target, bytes);
      const { calls, sessionId } = await wholeTurn(transportTo(scheme, await line.listen()));
      expect({ bytes, calls }).toEqual({ bytes, calls: calls.map((call) => (call === 'done' ? call : lost)) });
      if (sessionId !== '') sessions.push(sessionId);
      return { passed: line.passed, isWhole: !calls.some((call) => call !== 'done') };
    };
    const whole = await cutAt(Infinity);
    expect(whole.isWhole).toBe(true);
    let broken = 0;
    for (let bytes = 1; bytes < whole.passed; bytes += steps[scheme]) if (!(await cutAt(bytes)).isWhole) broken++;
    expect(broken).toBeGreaterThan(whole.passed / steps[scheme] / 2);
    await expect.poll(() => agent.connections, { timeout: within(10_000) }).toBe(0);
    expect(turns.begun).toBeGreaterThan(broken / 4);
    await expect.poll(() => turns.begun - turns.ended, { timeout: within(10_000) }).toBe(0);
    // A session whose id the client knows exists, however its turn ended.
    while (sessions.length > 0) {
      const later = connectClient(transportTo(scheme, target), {});
      await later.request('initialize', { protocolVersion, clientCapabilities: {} });
      // A connection may have so many sessions.
      for (const sessionId of sessions.splice(0, 500))
        await later.request('session/load', { sessionId, cwd: '/', mcpServers: [] });
      await later.close();
    }
  },
  within(300_000),
);
