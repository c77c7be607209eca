import { join } from 'node:path';
import { GatewayClient } from './gateway-client.ts';
import { RunningGateway } from './running-gateway.ts';
import { compared, StampReader } from './stamp-reader.ts';
import { type Trial, until } from './trial.ts';

/** Clients that connect at the same time. */
const atOnce = 200;

interface Place {
  readonly sessionId: string;
  readonly reader: StampReader;
  client: GatewayClient;
}

/** Disconnects many clients at once, so that they miss updates, and reconnects them at once, each with its cursor. */
export const storm: Trial = {
  name: 'storm',
  run: async ({ isQuick, folder }) => {
    const count = isQuick ? 1_000 : 10_000;
    await using gateway = await RunningGateway.start({ database: join(folder, 'storm.sqlite'), agents: 'here' });
    const places: Place[] = [];
    await together(count, async () => {
      const reader = new StampReader();
      const client = await GatewayClient.connect(gateway.url, reader);
      places.push({ client, reader, sessionId: await client.begin() });
    });
    const received = (): number => places.reduce((sum, { reader }) => sum + reader.serials.length, 0);
    const send = (first: number): Promise<void> => gateway.send({ first, count: 3, rate: 10_000, length: 0 });
    await send(0);
    await until('updates before the storm', received, 3 * count);
    const before = await gateway.facts();
    for (const { client } of places) client.cut();
    await send(3);
    const start = performance.now();
    await together(count, async (index) => {
      const place = places[index]!;
      place.client = await GatewayClient.connect(gateway.url, place.reader, place.client.cursor);
      await place.client.resume(place.sessionId);
    });
    await until('updates that were missed', received, 6 * count);
    const seconds = (performance.now() - start) / 1000;
    await send(6);
    await until('updates after the storm', received, 9 * count);
    const after = await gateway.facts();
    for (const { client } of places) client.cut();
    const outcomes = places.map(({ reader }) => compared(reader.serials, [0, 1, 2, 3, 4, 5, 6, 7, 8]));
    return [
      { name: 'storm', unit: `s until ${count} clients are back`, value: seconds, atMost: 15 },
      { name: 'storm-lost', unit: 'updates', value: sum(outcomes.map(({ lost }) => lost)), atMost: 0 },
      { name: 'storm-doubled', unit: 'updates', value: sum(outcomes.map(({ doubled }) => doubled)), atMost: 0 },
      { name: 'storm-agents', unit: 'agents started again', value: after.starts - before.starts, atMost: 0 },
    ];
  },
};

async function together(count: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const oneAfterAnother = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) await work(index);
  };
  await Promise.all(Array.from({ length: atOnce }, oneAfterAnother));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
