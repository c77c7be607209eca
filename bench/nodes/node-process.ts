// Started by running-node.ts: a node of a cluster on a database, with scripted agents in this process or agents in separate processes.
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { launchAgent } from '@turnwire/client/node';
import { GatewayNode } from '@turnwire/cluster';
import { Gateway, TokenFile } from '@turnwire/gateway';
import { openHttpServer } from '@turnwire/gateway/endpoints';
import { obeyOrders } from '../gateway/orders.ts';
import { agentHere } from '../gateway/served-gateway.ts';

export interface NodeSetting {
  readonly database: string;
  readonly tokens: string;
  readonly secret: string;
  /** The duration of the lease, in milliseconds. */
  readonly lease: number;
  readonly agents: 'here' | 'processes';
  /** The port at which other nodes reach this one. Default: the port on which it listens. */
  readonly door?: number | undefined;
}

/** Figures that a node reports. */
export interface NodeFacts {
  /** Resident memory, in bytes. */
  readonly memory: number;
  /** Processor time, in microseconds. */
  readonly cpu: number;
  /** Sessions on this node. */
  readonly sessions: number;
}

const { database, tokens, secret, lease, agents, door } = JSON.parse(process.argv[2] ?? '') as NodeSetting;
const agentProcess = [process.execPath, fileURLToPath(new URL('../gateway/agent-process.js', import.meta.url))];

const node = await GatewayNode.join({ url: database, lease, secret, agents: ['bench'], roots: ['/'] });
node.lost.addEventListener('abort', () => process.exit(7));
const gateway = new Gateway({
  store: node.store,
  cwd: tmpdir(),
  node,
  agents: {
    bench: {
      start: (options) =>
        agents === 'here' ? agentHere(options) : launchAgent(agentProcess, { ...options, cwd: tmpdir() }),
    },
  },
});
node.reportFrom(() => ({
  clients: gateway.connections,
  sessions: gateway.sessions,
  awake: gateway.agents,
  working: gateway.working,
  isDraining: false,
}));
const server = await openHttpServer(
  {
    port: 0,
    agents: ['bench'],
    tokens: new TokenFile(tokens),
    maxConnections: 20_000,
    maxConnects: Infinity,
    links: node.links('127.0.0.1'),
  },
  (transport, to) => gateway.attach(transport, to),
);
const { origin } = new URL(server.url);
await node.announce(door === undefined ? origin : `http://127.0.0.1:${door}`, origin);
obeyOrders((): NodeFacts => {
  const { user, system } = process.cpuUsage();
  return { memory: process.memoryUsage.rss(), cpu: user + system, sessions: gateway.sessions };
});
process.send?.({ url: server.webSocketUrl });
