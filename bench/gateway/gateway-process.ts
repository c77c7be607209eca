// Started by running-gateway.ts: a gateway on a WebSocket, with agents in this process or in separate processes.
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { launchAgent } from '@turnwire/client/node';
import { listening } from '../remote/listening.ts';
import { obeyOrders } from './orders.ts';
import { agentHere, serveGateway } from './served-gateway.ts';

export interface Setting {
  readonly database: string;
  readonly agents: 'here' | 'processes';
}

/** Figures that a gateway reports. */
export interface Facts {
  /** Resident memory after garbage collection, in bytes. */
  readonly memory: number;
  /** How many agents were started. */
  readonly starts: number;
}

const { database, agents } = JSON.parse(process.argv[2] ?? '') as Setting;
const agentProcess = [process.execPath, fileURLToPath(new URL('agent-process.js', import.meta.url))];
let starts = 0;

const { server, port } = await listening();
serveGateway(server, database, {
  start: (options) => {
    starts++;
    return agents === 'here' ? agentHere(options) : launchAgent(agentProcess, { ...options, cwd: tmpdir() });
  },
});
obeyOrders((): Facts => {
  globalThis.gc?.();
  return { memory: process.memoryUsage.rss(), starts };
});
process.send?.({ port });
