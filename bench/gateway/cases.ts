import { measureConnections } from '../remote/connections.ts';
import { loadRemoteContender } from '../remote/load-remote-contender.ts';
import type { RemoteContender } from '../remote/remote-contender.ts';
import type { Case } from '../wire/case.ts';
import type { ContenderName } from '../wire/contender.ts';

/** What sessions cost that are stored before they are shown, next to servers that store nothing: bare `ws`, and the official SDK's. */
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
      const { figures } = await measureConnections(setup, loadGatewayContender);
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
      const { figures } = await measureConnections(setup, async () => (await import('./logged-floor.ts')).loggedFloor);
      return { figures: { 'cpu-with-log': figures['ws-cpu'] ?? Number.NaN } };
    },
  },
];

async function loadGatewayContender(name: ContenderName): Promise<RemoteContender> {
  return name === 'turnwire' ? (await import('./turnwire.ts')).turnwire : loadRemoteContender(name);
}
