import { StampReader } from '../gateway/stamp-reader.ts';
import { until } from '../gateway/trial.ts';
import type { GatewayClient } from '../gateway/gateway-client.ts';
import { type Cluster, type NodesTrial, together } from './cluster.ts';
import type { RunningNode } from './running-node.ts';

/** A session of one client, connected through a node that does not own it. */
export interface Watched {
  readonly sessionId: string;
  readonly reader: StampReader;
  client: GatewayClient;
}

/** Creates sessions on one node, and connects the client of each through another node. */
async function watched(
  cluster: Cluster,
  {
    owner,
    by,
    count,
  }: { readonly owner: RunningNode; readonly by: () => Promise<RunningNode>; readonly count: number },
): Promise<{ readonly places: readonly Watched[]; readonly through: RunningNode }> {
  const places: Watched[] = [];
  await together(count, async () => {
    const reader = new StampReader();
    const client = await cluster.connect(owner, reader);
    places.push({ client, reader, sessionId: await client.begin() });
  });
  const through = await by();
  await together(count, async (index) => {
    const place = places[index] as Watched;
    const direct = place.client;
    place.client = await cluster.connect(through, place.reader, direct.cursor);
    await place.client.resume(place.sessionId);
    direct.cut();
  });
  return { places, through };
}

/** Counts updates of a client that are missing in the log, arrived twice, or are missing between others. */
export async function comparedWithLogs(
  cluster: Cluster,
  {
    through,
    places,
    perTurn = Infinity,
  }: { readonly through: RunningNode; readonly places: readonly Watched[]; readonly perTurn?: number },
): Promise<{ readonly lost: number; readonly doubled: number; readonly updates: number }> {
  let [lost, doubled, updates] = [0, 0, 0];
  await together(places.length, async (index) => {
    const { sessionId, reader } = places[index] as Watched;
    const whole = new StampReader();
    const other = await cluster.connect(through, whole);
    await other.load(sessionId);
    await until('what is in the log', () => reader.serials.length, whole.serials.length);
    other.cut();
    const logged = new Set(whole.serials);
    lost += [...logged].filter((serial) => !reader.serials.includes(serial)).length;
    lost += reader.serials.filter((serial) => !logged.has(serial)).length;
    lost += whole.serials.filter((serial) => serial % perTurn > 0 && !logged.has(serial - 1)).length;
    doubled += reader.serials.length - new Set(reader.serials).size + whole.serials.length - logged.size;
    updates += reader.serials.length;
  });
  return { lost, doubled, updates };
}

const lease = 10_000;

/** Kills the node with all sessions while updates are in transit; every client reconnects to the other node with its cursor. */
export const takeover: NodesTrial = {
  name: 'takeover',
  setting: { lease, agents: 'here' },
  run: async (cluster, { isQuick }) => {
    const count = isQuick ? 500 : 5_000;
    const owner = await cluster.start();
    const { places, through } = await watched(cluster, { owner, by: () => cluster.start(), count });
    const received = (): number => places.reduce((sum, { reader }) => sum + reader.serials.length, 0);
    void owner.send({ first: 0, count: 1_000, rate: 1_000, length: 300 }).catch(() => undefined);
    await until('updates before the kill', received, count);
    const start = performance.now();
    await owner.kill();
    const times: number[] = [];
    // Clients reconnect at once, and wait until the killed node is removed.
    const back: Promise<void>[] = [];
    await together(count, async (index) => {
      const place = places[index] as Watched;
      place.client = await cluster.connect(through, place.reader, place.client.cursor);
      const resumed = place.client.resume(place.sessionId);
      back.push(resumed.then(() => void times.push((performance.now() - start) / 1_000)));
    });
    await Promise.all(back);
    const { lost, doubled, updates } = await comparedWithLogs(cluster, { through, places });
    const [last, middle] = [Math.max(...times), times.toSorted((a, b) => a - b)[Math.floor(count / 2)] ?? Number.NaN];
    return [
      {
        name: 'takeover',
        unit: `s until the last of ${count} sessions is back`,
        value: last,
        atMost: 5,
      },
      { name: 'takeover-p50', unit: 's', value: middle },
      { name: 'takeover-lost', unit: `of ${updates} updates`, value: lost, atMost: 0 },
      { name: 'takeover-doubled', unit: 'updates', value: doubled, atMost: 0 },
    ];
  },
};
