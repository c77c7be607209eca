import { preciseNow } from '../gateway/stamp.ts';
import { StampReader } from '../gateway/stamp-reader.ts';
import { median } from '../median.ts';
import { quantile, until } from '../gateway/trial.ts';
import type { Cluster, NodesTrial } from './cluster.ts';
import { begun } from './failures.ts';

/** The latency that a second node adds between the session's node and the client. */
export const foreign: NodesTrial = {
  name: 'foreign',
  setting: { lease: 10_000, agents: 'processes' },
  run: async (cluster, { isQuick }) => {
    const [owner, other] = [await cluster.start(), await cluster.start()];
    const ages: Record<'direct' | 'through', number[]> = { direct: [], through: [] };
    const aged = (name: 'direct' | 'through'): StampReader =>
      new StampReader(({ dueAt }) => ages[name].push(preciseNow() - dueAt));
    const direct = await cluster.connect(owner, aged('direct'));
    const sessionId = await direct.begin();
    const through = await cluster.connect(other, aged('through'), direct.cursor);
    await through.resume(sessionId);
    const count = isQuick ? 2_000 : 20_000;
    const text = `0 ${count} 1000`;
    await direct.peer.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] });
    await until('the last updates', () => ages.through.length, count);
    const added = (share: number): number =>
      quantile(ages.through.slice(500), share) - quantile(ages.direct.slice(500), share);
    return [
      { name: 'foreign', unit: 'ms more, p50', value: added(0.5), atMost: 1 },
      { name: 'foreign-p99', unit: 'ms more, p99', value: added(0.99) },
    ];
  },
};

/** Processor time of the nodes for each update, of one node and of three, each with 1,000 updates a second. Its inverse is the throughput of a core. */
export const three: NodesTrial = {
  name: 'three',
  setting: { lease: 10_000, agents: 'here' },
  run: async (cluster, { isQuick }) => {
    const effort = { sessions: 50, each: isQuick ? 60 : 100 };
    const costs: { readonly one: number; readonly many: number }[] = [];
    for (let round = 0; round < (isQuick ? 1 : 3); round++)
      costs.push({ one: await costOf(cluster, 1, effort), many: await costOf(cluster, 3, effort) });
    const [one, many] = [median(costs.map((each) => each.one)), median(costs.map((each) => each.many))];
    return [
      { name: 'three', unit: '× the updates of one node, a core given to each', value: (3 * one) / many, atLeast: 2.2 },
      { name: 'three-cpu-one', unit: 'µs of one node per update', value: one },
      { name: 'three-cpu-three', unit: 'µs of three nodes per update', value: many },
    ];
  },
};

async function costOf(
  cluster: Cluster,
  count: number,
  { sessions, each }: { readonly sessions: number; readonly each: number },
): Promise<number> {
  const nodes = await Promise.all(Array.from({ length: count }, () => cluster.start()));
  const places = (await Promise.all(nodes.map((node) => begun(cluster, node, sessions)))).flat();
  const received = (): number => places.reduce((sum, { reader }) => sum + reader.serials.length, 0);
  const send = (first: number): Promise<unknown> =>
    Promise.all(nodes.map((node) => node.send({ first, count: each, rate: 1_000, length: 300 })));
  await send(0);
  await until('updates to warm up', received, count * sessions * each);
  const cpu = async (): Promise<number> =>
    (await Promise.all(nodes.map((node) => node.facts()))).reduce((sum, facts) => sum + facts.cpu, 0);
  const before = await cpu();
  await send(each);
  await until('updates', received, 2 * count * sessions * each);
  const spent = (await cpu()) - before;
  await Promise.all(nodes.map((node) => node.kill()));
  return spent / (count * sessions * each);
}
