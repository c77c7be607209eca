import { join } from 'node:path';
import { WebSocket } from 'ws';
import { initializeRequest, newSessionRequest } from '../wire/script.ts';
import { GatewayClient } from './gateway-client.ts';
import { RunningGateway } from './running-gateway.ts';
import { preciseNow } from './stamp.ts';
import { compared, StampReader } from './stamp-reader.ts';
import { quantile, type Trial, until } from './trial.ts';

const rate = 1_000;
/** Characters of an update: the updates of a minute must not fit into the buffers of a socket. */
const length = 1_000;
/**
 * Sets the space for young objects to its maximum from the start. Otherwise V8 enlarges it during the trial, as if clients needed the memory.
 */
const steadyHeap = ['--min-semi-space-size=16', '--max-semi-space-size=16'];

/** One of two clients of a session stops reading: measures the memory it takes, and the latency of the other. */
export const slowReader: Trial = {
  name: 'slow-reader',
  run: async ({ isQuick, folder }) => {
    const seconds = isQuick ? 10 : 60;
    const count = rate * seconds;
    await using gateway = await RunningGateway.start(
      { database: join(folder, 'slow.sqlite'), agents: 'here' },
      steadyHeap,
    );
    let ages: number[] = [];
    const reader = new StampReader(({ dueAt }) => ages.push(preciseNow() - dueAt));
    const quick = await GatewayClient.connect(gateway.url, reader);
    const sessionId = await quick.begin();
    const phase = async (first: number): Promise<number> => {
      ages = [];
      await gateway.send({ first, count, rate, length });
      await until('updates of who reads', () => reader.serials.length, first + count);
      return quantile(ages, 0.99);
    };
    await phase(0);
    const aloneBefore = await phase(count);
    const before = await gateway.facts();
    const stalled = await stalledClient(gateway.url, sessionId);
    const beside = await phase(2 * count);
    const after = await gateway.facts();
    const late = new StampReader();
    stalled.socket.terminate();
    const back = await GatewayClient.connect(gateway.url, late, stalled.cursor);
    await back.resume(sessionId);
    await until('updates of who comes back', () => late.serials.length, count);
    back.cut();
    const alone = (aloneBefore + (await phase(3 * count))) / 2;
    const expected = Array.from({ length: count }, (_, index) => 2 * count + index);
    const { lost, doubled } = compared(late.serials, expected);
    return [
      {
        name: 'slow-reader',
        unit: 'MB for who does not read',
        value: (after.memory - before.memory) / 2 ** 20,
        atMost: 4,
      },
      { name: 'slow-reader-others', unit: '× p99 of the other', value: beside / alone, atMost: 1.2 },
      { name: 'slow-reader-p99', unit: 'ms, p99 of the other', value: beside },
      { name: 'slow-reader-wrong', unit: 'lost or doubled', value: lost + doubled, atMost: 0 },
    ];
  },
};

/** A client that stops reading after it attached. */
async function stalledClient(
  url: string,
  sessionId: string,
): Promise<{ readonly socket: WebSocket; readonly cursor: string }> {
  const socket = new WebSocket(url, { perMessageDeflate: false });
  const ask = (id: number, method: string, params: object): void =>
    socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
  const cursor = await new Promise<string>((resolve, reject) => {
    socket.once('error', reject);
    socket.once('open', () => ask(0, 'initialize', initializeRequest));
    socket.on('message', (data: Buffer) => {
      const { id, result } = JSON.parse(data.toString()) as Answer;
      if (id === 0) return ask(1, 'session/resume', { sessionId, cwd: newSessionRequest.cwd });
      // Updates in the same chunk as the answer are still read.
      if (id !== 1) return;
      socket.pause();
      resolve(result._meta.turnwire.cursor);
    });
  });
  return { socket, cursor };
}

interface Answer {
  readonly id: number;
  readonly result: { readonly _meta: { readonly turnwire: { readonly cursor: string } } };
}
