import type { Server } from 'node:http';
import { measureConnections } from '../remote/connections.ts';
import { loadRemoteContender } from '../remote/load-remote-contender.ts';
import type { Case } from '../case.ts';
import type { ContenderName } from '../wire/contender.ts';

/** The cost of sessions whose updates are stored before they are sent, compared with servers without storage: bare `ws` and the official SDK. */
export const gatewayCases: readonly Case[] = [
  {
    name: 'attached',
    unit: 'MB',
    higherIsBetter: false,
    aim: { value: 400 },
    also: [
      { name: 'attached-loaded', unit: 'MB', higherIsBetter: false },
      { name: 'cpu-per-update', unit: 'µs', higherIsBetter: false },
    ],
    nodeOptions: ['--expose-gc'],
    measure: async (setup) => {
      const { figures } = await measureConnections(setup, await serverOf(setup.contender));
      return {
        figures: {
          attached: figures['ws-connections'] ?? Number.NaN,
          'attached-loaded': figures['ws-connections-loaded'] ?? Number.NaN,
          'cpu-per-update': figures['ws-cpu'] ?? Number.NaN,
        },
      };
    },
  },
  {
    name: 'cpu-with-log',
    unit: 'µs',
    higherIsBetter: false,
    contenders: ['floor'],
    nodeOptions: ['--expose-gc'],
    measure: async (setup) => {
      const { figures } = await measureConnections(setup, (await import('./logged-floor.ts')).serveLoggedFloor);
      return { figures: { 'cpu-with-log': figures['ws-cpu'] ?? Number.NaN } };
    },
  },
];

async function serverOf(name: ContenderName): Promise<(server: Server) => void> {
  if (name === 'turnwire') return (await import('./served-gateway.ts')).serveAgentsHere;
  const contender = await loadRemoteContender(name);
  return (server) => contender.serve(server, 'websocket');
}
