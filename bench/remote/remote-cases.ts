import type { Case, Sample, Setup } from '../case.ts';
import { rate } from '../wire/round-trip-cases.ts';
import { turnsFor } from '../wire/stream-cases.ts';
import { UpdateReader } from '../wire/update-reader.ts';
import { measureConnections } from './connections.ts';
import { listening } from './listening.ts';
import { loadRemoteContender } from './load-remote-contender.ts';
import type { Profile } from './remote-contender.ts';

/** Updates of one turn. */
const perTurn = 10_000;

/** The cost of an agent over a network, compared with bare `ws` and bare `http`. */
export const remoteCases: readonly Case[] = [
  {
    name: 'ws-update',
    unit: 'msg/s',
    higherIsBetter: true,
    aim: { ratio: 0.8 },
    also: [{ name: 'ws-update-cpu', unit: 'µs', higherIsBetter: false }],
    measure: (setup) => measureUpdates('ws-update', 'websocket', setup),
  },
  {
    name: 'http-update',
    unit: 'msg/s',
    higherIsBetter: true,
    aim: { ratio: 0.7 },
    also: [{ name: 'http-update-cpu', unit: 'µs', higherIsBetter: false }],
    measure: (setup) => measureUpdates('http-update', 'http', setup),
  },
  roundTrips('ws-round-trip', { profile: 'websocket', inFlight: 1, aim: 0.85 }),
  roundTrips('ws-round-trip-64', { profile: 'websocket', inFlight: 64, aim: 0.7 }),
  roundTrips('http-round-trip', { profile: 'http', inFlight: 1, aim: 0.6 }),
  roundTrips('http-round-trip-64', { profile: 'http', inFlight: 64, aim: 0.7 }),
  {
    name: 'ws-connections',
    unit: 'MB',
    higherIsBetter: false,
    aim: { ratio: 1.5 },
    also: [
      { name: 'ws-connections-loaded', unit: 'MB', higherIsBetter: false },
      { name: 'ws-cpu', unit: 'µs', higherIsBetter: false, aim: { ratio: 1.5 } },
    ],
    nodeOptions: ['--expose-gc'],
    measure: async (setup) => {
      const remote = await loadRemoteContender(setup.contender);
      return measureConnections(setup, (server) => remote.serve(server, 'websocket'));
    },
  },
];

/** @param aim the share of the floor's rate */
function roundTrips(
  name: string,
  { profile, inFlight, aim }: { readonly profile: Profile; readonly inFlight: number; readonly aim: number },
): Case {
  const measure = async ({ contender, seconds }: Setup): Promise<Sample> => {
    const remote = await loadRemoteContender(contender);
    const { server, port } = await listening();
    remote.serve(server, profile);
    const client = remote.connect(port, profile, () => undefined);
    return { figures: { [name]: await rate(client, inFlight, seconds) } };
  };
  return { name, unit: 'per s', higherIsBetter: true, aim: { ratio: aim }, measure };
}

/** Both peers in this process, over the loopback interface. */
async function measureUpdates(name: string, profile: Profile, { contender, seconds }: Setup): Promise<Sample> {
  const remote = await loadRemoteContender(contender);
  const { server, port } = await listening();
  remote.serve(server, profile);
  const reader = new UpdateReader('small-update', perTurn);
  const client = remote.connect(port, profile, reader.onUpdate);
  await client.initialize();
  const sessionId = await client.newSession();
  await turnsFor(seconds / 2, () => reader.turn(client, sessionId));
  const before = process.cpuUsage();
  const run = await turnsFor(seconds, () => reader.turn(client, sessionId));
  const { user, system } = process.cpuUsage(before);
  const updates = run.turns * perTurn;
  return { figures: { [name]: updates / run.seconds, [`${name}-cpu`]: (user + system) / updates } };
}
