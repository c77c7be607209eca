import { setTimeout as delay } from 'node:timers/promises';
import { CutLine } from '../../packages/cluster/test/nodes/cut-line.ts';
import { StampReader } from '../gateway/stamp-reader.ts';
import type { Cluster, NodesTrial } from './cluster.ts';
import { comeBack } from './failures.ts';
import type { RunningNode } from './running-node.ts';
import { comparedWithLogs, type Watched } from './takeover.ts';

/** A node that is restarted whenever it ends, with a proxy to the database and a proxy for other nodes. */
class Place implements Disposable {
  readonly line: CutLine;
  readonly door: CutLine;
  readonly #cluster: Cluster;
  #node: RunningNode;
  #isOver = false;

  private constructor(
    cluster: Cluster,
    { line, door }: { readonly line: CutLine; readonly door: CutLine },
    node: RunningNode,
  ) {
    this.#cluster = cluster;
    this.line = line;
    this.door = door;
    this.#node = node;
    void this.#keep();
  }

  static async start(cluster: Cluster): Promise<Place> {
    const ways = { line: await CutLine.to(cluster.server.port), door: await CutLine.to() };
    return new Place(cluster, ways, await started(cluster, ways));
  }

  get node(): RunningNode {
    return this.#node;
  }

  [Symbol.dispose](): void {
    this.#isOver = true;
  }

  async #keep(): Promise<void> {
    for (await this.#node.ended; !this.#isOver; await this.#node.ended)
      // A node cannot start without the database.
      await started(this.#cluster, this).then(
        (node) => (this.#node = node),
        () => delay(200),
      );
  }
}

/** Starts a node behind its two proxies. */
async function started(cluster: Cluster, { line, door }: Pick<Place, 'line' | 'door'>): Promise<RunningNode> {
  const node = await cluster.start({ database: line.port, door: door.port });
  door.target = Number(new URL(node.url).port);
  return node;
}

/** Updates of a turn, and their rate a second. */
const [turnLength, rate] = [400, 1_000];
/** The serials of a turn start at this times its number. */
const perTurn = 1_000_000;

/** A fault of one node, or of all, while turns run. Resolves when it has ended. */
type Disturbance = (chaos: Chaos, victim: Place) => Promise<void>;

const disturbances: Readonly<Record<string, Disturbance>> = {
  kill: async (_, { node }) => node.kill(),
  // Some stops are longer than the lease, some shorter.
  stop: async (_, { node }) => {
    node.signal('SIGSTOP');
    await delay(500 + Math.random() * 4_000);
    node.signal('SIGCONT');
  },
  partition: async (_, { line }) => {
    line.cut();
    await delay(500 + Math.random() * 4_000);
    line.repair();
  },
  'nodes parted': async (_, { door }) => {
    door.cut();
    await delay(500 + Math.random() * 4_000);
    door.repair();
  },
  'database restart': async ({ cluster }) => {
    await cluster.server.crash();
    await delay(Math.random() * 2_000);
    await cluster.server.run();
  },
  'clients dropped': async ({ places }) => {
    for (const { client } of places) client.cut();
  },
};

interface Chaos {
  readonly cluster: Cluster;
  readonly places: readonly Watched[];
}

/** For ten minutes, at random and while turns run: kills and stops nodes, disconnects them from the database and from each other, restarts the database and drops clients. */
export const chaos: NodesTrial = {
  name: 'chaos',
  setting: { lease: 2_000, agents: 'processes' },
  run: async (cluster, { isQuick }) => {
    const end = performance.now() + (isQuick ? 30 : 600) * 1_000;
    using first = await Place.start(cluster);
    using second = await Place.start(cluster);
    using third = await Place.start(cluster);
    const nodes = [first, second, third];
    const any = (): RunningNode => oneOf(nodes).node;
    const places: Watched[] = [];
    for (let index = 0; index < 6; index++) {
      const reader = new StampReader();
      const client = await cluster.connect(any(), reader);
      places.push({ client, reader, sessionId: await client.begin() });
    }
    const happened = new Map<string, number>();
    let [turns, interrupted] = [0, 0];
    for (let round = 0; performance.now() < end; round++) {
      const running = places.map(async ({ client, sessionId }) => {
        const prompt = [{ type: 'text' as const, text: `${round * perTurn} ${turnLength} ${rate}` }];
        turns++;
        await client.peer.request('session/prompt', { sessionId, prompt }).catch(() => interrupted++);
      });
      await delay(Math.random() * 400);
      const name = oneOf(Object.keys(disturbances));
      happened.set(name, (happened.get(name) ?? 0) + 1);
      await disturbances[name]?.({ cluster, places }, oneOf(nodes));
      for (const { client } of places) client.cut();
      // Updates that have arrived are read before the cursor, so that each counts once.
      await delay(100);
      await Promise.all(places.map((place) => comeBack(cluster, { place, any })));
      await Promise.all(running);
      process.stderr.write('.');
    }
    const { lost, doubled, updates } = await comparedWithLogs(cluster, { through: any(), places, perTurn });
    const list = [...happened].map(([name, count]) => `${count} × ${name}`).join(', ');
    return [
      { name: 'chaos', unit: `lost of ${updates} updates: ${list}`, value: lost, atMost: 0 },
      { name: 'chaos-doubled', unit: 'updates', value: doubled, atMost: 0 },
      { name: 'chaos-turns', unit: `interrupted of ${turns} turns`, value: interrupted },
    ];
  },
};

function oneOf<Each>(all: readonly Each[]): Each {
  return all[Math.floor(Math.random() * all.length)] as Each;
}
