import { setTimeout as delay } from 'node:timers/promises';
import { StampReader } from '../gateway/stamp-reader.ts';
import { until } from '../gateway/trial.ts';
import { type Cluster, type NodesTrial, together } from './cluster.ts';
import type { RunningNode } from './running-node.ts';
import { comparedWithLogs, type Watched } from './takeover.ts';

/** Stops a node for longer than its lease, and continues it when another node has its sessions. */
export const stop: NodesTrial = {
  name: 'stop',
  setting: { lease: 3_000, agents: 'here' },
  run: async (cluster, { isQuick }) => {
    const count = isQuick ? 20 : 200;
    const stopped = await cluster.start();
    const places = await begun(cluster, stopped, count);
    const received = (): number => places.reduce((sum, { reader }) => sum + reader.serials.length, 0);
    void stopped.send({ first: 0, count: 10_000, rate: 1_000, length: 300 }).catch(() => undefined);
    await until('updates before the stop', received, count);
    const other = await cluster.start();
    stopped.signal('SIGSTOP');
    await untilNodes(cluster, 1);
    await together(count, async (index) => {
      const place = places[index] as Watched;
      const before = place.client;
      place.client = await cluster.connect(other, place.reader, before.cursor);
      await place.client.resume(place.sessionId);
      before.cut();
    });
    const events = await cluster.count('events');
    const start = performance.now();
    stopped.signal('SIGCONT');
    const code = await stopped.ended;
    const seconds = (performance.now() - start) / 1_000;
    const { lost, doubled } = await comparedWithLogs(cluster, { through: other, places });
    return [
      { name: 'stop', unit: `s until it ends, with code ${code}`, value: seconds, atMost: 1 },
      {
        name: 'stop-stale',
        unit: 'events stored after it',
        value: (await cluster.count('events')) - events,
        atMost: 0,
      },
      { name: 'stop-lost', unit: 'updates lost or doubled', value: lost + doubled, atMost: 0 },
    ];
  },
};

/** Stops the database while agents work. */
export const databaseDown: NodesTrial = {
  name: 'database-down',
  setting: { lease: 10_000, agents: 'processes' },
  run: async (cluster, { isQuick }) => {
    const seconds = isQuick ? 5 : 30;
    const node = await cluster.start();
    const other = await cluster.start();
    // A session reaches its limit for unsaved text in the first two thirds.
    const places = await begun(cluster, node, 3);
    const rate = 1_500;
    const turns = places.map(({ client, sessionId }) =>
      client.peer.request('session/prompt', {
        sessionId,
        prompt: [{ type: 'text', text: `0 ${rate * (seconds + 10)} ${rate}` }],
      }),
    );
    const received = (): number => places.reduce((sum, { reader }) => sum + reader.serials.length, 0);
    await until('updates before', received, 3 * rate);
    const before = await node.facts();
    await cluster.server.crash();
    await delay(1_000);
    const atFirst = received();
    const memory: number[] = [];
    for (let second = 1; second < seconds; second++) {
      await delay(1_000);
      memory.push((await node.facts()).memory);
    }
    const full = Math.max(...memory.slice(0, (memory.length * 2) / 3));
    const most = Math.max(...memory);
    const meanwhile = received() - atFirst;
    await cluster.server.run();
    await Promise.all(turns);
    const { lost, doubled, updates } = await comparedWithLogs(cluster, { through: other, places });
    return [
      { name: 'database-down', unit: `updates shown in ${seconds - 1} s without it`, value: meanwhile, atMost: 0 },
      { name: 'database-down-lost', unit: `lost or doubled of ${updates} updates`, value: lost + doubled, atMost: 0 },
      { name: 'database-down-memory', unit: 'MB more at most', value: (most - before.memory) / 2 ** 20 },
      {
        name: 'database-down-growth',
        unit: 'MB of it in the last third',
        value: (most - full) / 2 ** 20,
        atMost: 10,
      },
    ];
  },
};

/** Kills nodes at random while sessions work; their clients reconnect through any other node. */
export const kills: NodesTrial = {
  name: 'kills',
  setting: { lease: 2_000, agents: 'processes' },
  run: async (cluster, { isQuick }) => {
    const count = isQuick ? 5 : 100;
    const nodes = [await cluster.start(), await cluster.start(), await cluster.start()];
    const any = (): RunningNode => nodes[Math.floor(Math.random() * nodes.length)] as RunningNode;
    const places: Watched[] = [];
    for (let index = 0; index < 6; index++) {
      const reader = new StampReader();
      const client = await cluster.connect(any(), reader);
      places.push({ client, reader, sessionId: await client.begin() });
    }
    const perTurn = 1_000_000;
    let interrupted = 0;
    let ownEnds = 0;
    for (let round = 0; round < count; round++) {
      const turns = places.map(async (place) => {
        const { client, sessionId } = place;
        const text = `${round * perTurn} 400 1000`;
        try {
          await client.peer.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] });
        } catch {
          interrupted++;
        }
      });
      await delay(Math.random() * 400);
      const victim = Math.floor(Math.random() * nodes.length);
      await nodes[victim]?.kill();
      // A node that did not renew its lease in time has ended, too.
      ownEnds += nodes.filter(({ isRunning }) => !isRunning).length - 1;
      for (const [index, { isRunning }] of nodes.entries()) if (!isRunning) nodes[index] = await cluster.start();
      await Promise.all(turns);
      await Promise.all(places.map((place) => comeBack(cluster, { place, any })));
      process.stderr.write('.');
    }
    const { lost, doubled, updates } = await comparedWithLogs(cluster, { through: any(), places, perTurn });
    return [
      { name: 'kills', unit: `lost of ${updates} updates, ${count} kills`, value: lost, atMost: 0 },
      { name: 'kills-doubled', unit: 'updates', value: doubled, atMost: 0 },
      { name: 'kills-turns', unit: `interrupted of ${count * places.length} turns`, value: interrupted },
      { name: 'kills-own-ends', unit: 'nodes that ended because they were too slow', value: ownEnds },
    ];
  },
};

/** Connects through any node, and again if that node ends during that. */
export async function comeBack(
  cluster: Cluster,
  { place, any }: { readonly place: Watched; readonly any: () => RunningNode },
): Promise<void> {
  const before = place.client;
  for (let attempt = 0; ; attempt++)
    try {
      place.client = await cluster.connect(any(), place.reader, before.cursor);
      await place.client.resume(place.sessionId);
      return before.cut();
    } catch (error) {
      if (attempt === 60) throw error;
      before.cursor = place.client.cursor;
      await delay(250);
    }
}

/** Sessions with a client each, on the node that has them. */
export async function begun(cluster: Cluster, node: RunningNode, count: number): Promise<readonly Watched[]> {
  const places: Watched[] = [];
  await together(count, async () => {
    const reader = new StampReader();
    const client = await cluster.connect(node, reader);
    places.push({ client, reader, sessionId: await client.begin() });
  });
  return places;
}

async function untilNodes(cluster: Cluster, count: number): Promise<void> {
  while ((await cluster.count('nodes')) !== count) await delay(50);
}
