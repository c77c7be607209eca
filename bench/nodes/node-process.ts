// Started by running-node.ts: a node of a cluster on a database, with scripted agents in this process or agents in separate processes.
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { launchAgent } from '@turnwire/client/node';
import { GatewayNode } from '@turnwire/cluster';
import { Gateway, TokenFile } from '@turnwire/gateway';
import { openHttpFront } from '@turnwire/gateway/endpoints';
import { agentHere } from '../gateway/served-gateway.ts';
import { onSchedule, stamped } from '../gateway/stamp.ts';
import { reachSessions } from '../wire/script.ts';

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

export type NodeOrder =
  | { readonly do: 'facts' }
  /** Sends updates to every session whose agent is in this process, with serials from `first`. */
  | {
      readonly do: 'send';
      readonly first: number;
      readonly count: number;
      readonly rate: number;
      readonly length: number;
    };

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
const updates = reachSessions();

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
const server = await openHttpFront(
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
process.on('message', (order: NodeOrder) => void obey(order).then((answer) => process.send?.(answer)));
process.once('disconnect', () => process.exit());
process.send?.({ url: server.webSocketUrl });

async function obey(order: NodeOrder): Promise<object> {
  if (order.do === 'send') await send(order);
  return facts();
}

function facts(): NodeFacts {
  const { user, system } = process.cpuUsage();
  return { memory: process.memoryUsage.rss(), cpu: user + system, sessions: gateway.sessions };
}

async function send({ first, count, rate, length }: NodeOrder & { readonly do: 'send' }): Promise<void> {
  const targets = [...updates];
  await onSchedule({ rate, count: count * targets.length }, (index, dueAt) => {
    const [sessionId, sendUpdate] = targets[index % targets.length]!;
    const serial = first + Math.floor(index / targets.length);
    const text = stamped({ serial, dueAt, process: process.pid }, length);
    void sendUpdate({ sessionId, update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } } });
  });
}
