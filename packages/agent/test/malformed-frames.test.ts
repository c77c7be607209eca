import { connect, type Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { within } from '../../../tools/pace.ts';
import { malformedText as malformedTextOfVersion2 } from '../../protocol/test/v2/malformed-frames.ts';
import { clientFrame } from '../../transports/test/websocket/http-server.ts';
import { serveAgent } from '../src/node/index.ts';
import { brokenFrame, chance, malformedText } from './malformed-frames.ts';
import { hello, openHttp } from './raw-connections.ts';

/** `TURNWIRE_MALFORMED_FRAMES=1000000` sends as many, which takes minutes, and prints what it came to. */
const count = Number(process.env['TURNWIRE_MALFORMED_FRAMES'] ?? 5_000);
/** Frames on one connection, before one that breaks it. */
const perConnection = 500;
/** Of so many frames one goes over HTTP as well, as a request of its own. */
const perPost = 40;
const token = 'secret';
const probe = '{"jsonrpc":"2.0","id":"probe","method":"_probe"}';
const text = 1;

const versions = [
  { version: 1, malformed: malformedText },
  { version: 2, malformed: malformedTextOfVersion2 },
] as const;
type Spoken = (typeof versions)[number] & { readonly port: number; readonly random: () => number };

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Bytes of JavaScript objects that are in use. */
function used(): number {
  collect();
  return process.memoryUsage().heapUsed;
}

/** Resolves once a text has arrived; all that arrives is forgotten. */
function arrival(socket: Socket, wanted: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let tail = '';
    const look = (bytes: Buffer): void => {
      tail = (tail + bytes.toString('latin1')).slice(-4_096);
      if (!tail.includes(wanted)) return;
      socket.off('data', look);
      socket.resume();
      resolve();
    };
    socket.on('data', look);
    socket.once('close', () => reject(new Error(`the connection ended before ${wanted}`)));
  });
}

/** One connection: malformed messages, a good one that has to be answered, and bytes that end it. */
async function oneConnection({ version, malformed, port, random }: Spoken): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.on('error', () => socket.destroy());
  const head = ['Host: 127.0.0.1', 'Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'];
  const own = ['Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==', `Authorization: Bearer ${token}`];
  socket.write(`GET /acp HTTP/1.1\r\n${[...head, ...own].join('\r\n')}\r\n\r\n`);
  await arrival(socket, '\r\n\r\n');
  socket.write(clientFrame(text, Buffer.from(hello[version])));
  await arrival(socket, '"hello"');
  const frames = Array.from({ length: perConnection }, () => {
    const opcode = random() < 0.02 ? 2 : text;
    return clientFrame(opcode, Buffer.from(malformed(random)));
  });
  const answered = arrival(socket, '"probe"');
  socket.write(Buffer.concat([...frames, clientFrame(text, Buffer.from(probe))]));
  await answered;
  socket.end(brokenFrame(random));
  await closed;
}

/** One connection over HTTP, like the one above. Returns the statuses of the answers to its requests. */
async function oneHttpConnection({
  version,
  malformed,
  port,
  random,
}: Spoken): Promise<readonly (number | undefined)[]> {
  const connection = await openHttp(port, token, hello[version]);
  const statuses: (number | undefined)[] = [];
  for (let posted = 0; posted < perConnection / perPost; posted++)
    statuses.push(await connection.send(malformed(random)));
  expect(await connection.send(probe)).toBe(202);
  await expect
    .poll(() => connection.received().find(({ id }) => id === 'probe'), { timeout: within(10_000) })
    .toMatchObject({ error: { code: -32_601 } });
  connection.close();
  return statuses;
}

test.each(versions)(
  `the agent survives ${count} malformed frames of version $version over a WebSocket and HTTP without leftovers`,
  async (spoken) => {
    await using agent = await serveAgent(
      { info: { name: 'echo', version: '1.0.0' }, prompt: (turn) => turn.say(turn.text) },
      { listen: { token, silence: within(1_000) }, versions: [1, 2] },
    );
    const connecting = { ...spoken, port: Number(new URL(agent.url).port), random: chance(7) };
    const statuses = new Set<number | undefined>();
    const send = async (frames: number): Promise<void> => {
      for (let sent = 0; sent < frames; sent += perConnection) {
        await oneConnection(connecting);
        for (const status of await oneHttpConnection(connecting)) statuses.add(status);
      }
      await expect.poll(() => agent.connections, { timeout: within(10_000) }).toBe(0);
    };
    // What is made once, and code, is there behind this.
    await send(count / 2);
    const before = used();
    await send(count / 2);
    const growth = used() - before;
    if (count > 5_000) console.log({ count, growth, rss: process.memoryUsage().rss, statuses: [...statuses] });
    expect([...statuses].filter((status = 0) => status === 0 || status >= 500)).toEqual([]);
    // Over HTTP, messages of the connection were received too, as opposed to requests that are refused.
    expect(statuses).toContain(202);
    expect(growth).toBeLessThan(4 * 2 ** 20);
  },
  within(600_000),
);
