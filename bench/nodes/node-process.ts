// Started by running-node.ts: a node of a cluster on a database, with scripted agents in this process or agents in processes of their own.
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { launchAgent } from '@turnwire/client/node';
import { GatewayNode } from '@turnwire/cluster';
import { Gateway, TokenFile } from '@turnwire/gateway';
import { openHttpServer } from '@turnwire/gateway/endpoints';
import { agentHere } from '../gateway/served-gateway.ts';
import { onSchedule, stamped } from '../gateway/stamp.ts';
import { reachSessions } from '../wire/script.ts';

export interface NodeSetting {
  readonly database: string;
  readonly tokens: string;
  readonly secret: string;
  /** In milliseconds. */
  readonly lease: number;
  readonly agents: 'here' | 'processes';
  /** The port of this machine at which other nodes reach it. Default: where it listens. */
  readonly door?: number | undefined;
}

export type NodeOrder =
  | { readonly do: 'facts' }
  /** Every session whose agent is here is sent updates, with the serials from `first` on. */
  | {
      readonly do: 'send';
      readonly first: number;
      readonly count: number;
      readonly rate: number;
      readonly length: number;
    };

/** What a node says of itself. */
export interface NodeFacts {
  /** Resident memory, in bytes. */
  readonly memory: number;
  /** Processor time, in microseconds. */
  readonly cpu: number;
  /** The node is busy with so many sessions. */
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
