// Started by running-gateway.ts: a gateway on a WebSocket, with agents in this process or in separate processes.
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { launchAgent } from '@turnwire/client/node';
import { listening } from '../remote/listening.ts';
import { reachSessions } from '../wire/script.ts';
import { agentHere, serveGateway } from './served-gateway.ts';
import { onSchedule, stamped } from './stamp.ts';

export interface Setting {
  readonly database: string;
  readonly agents: 'here' | 'processes';
}

export type Order =
  | { readonly do: 'facts' }
  /** Sends updates to every session in turn, with serials from `first`. */
  | {
      readonly do: 'send';
      readonly first: number;
      readonly count: number;
      readonly rate: number;
      readonly length: number;
    };

/** Figures that a gateway reports. */
export interface Facts {
  /** Resident memory after garbage collection, in bytes. */
  readonly memory: number;
  /** How many agents were started. */
  readonly starts: number;
}

const { database, agents } = JSON.parse(process.argv[2] ?? '') as Setting;
const agentProcess = [process.execPath, fileURLToPath(new URL('agent-process.js', import.meta.url))];
const sessions = reachSessions();
let starts = 0;

const { server, port } = await listening();
serveGateway(server, database, {
  start: (options) => {
    starts++;
    return agents === 'here' ? agentHere(options) : launchAgent(agentProcess, { ...options, cwd: tmpdir() });
  },
});
process.on('message', (order: Order) => void obey(order).then((answer) => process.send?.(answer)));
process.once('disconnect', () => process.exit());
process.send?.({ port });

async function obey(order: Order): Promise<object> {
  if (order.do === 'send') await send(order);
  else return facts();
  return {};
}

function facts(): Facts {
  globalThis.gc?.();
  return { memory: process.memoryUsage.rss(), starts };
}

async function send({ first, count, rate, length }: Order & { readonly do: 'send' }): Promise<void> {
  const targets = [...sessions];
  await onSchedule({ rate, count: count * targets.length }, (index, dueAt) => {
    const [sessionId, sendUpdate] = targets[index % targets.length]!;
    const serial = first + Math.floor(index / targets.length);
    const text = stamped({ serial, dueAt, process: process.pid }, length);
    void sendUpdate({ sessionId, update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } } });
  });
}
