import { mkdtempSync } from 'node:fs';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Agent, type AgentOptions, attachAgent } from '@turnwire/client';
import { Gateway } from '@turnwire/gateway';
import { type HostedAgent, sqliteStore } from '@turnwire/runtime';
import { memoryPair } from '@turnwire/transports/memory';
import { serveWebSockets } from '@turnwire/transports/websocket/node';
import { serveOver } from '../wire/turnwire.ts';

/** The scripted agent in this process. */
export function agentHere(options: AgentOptions): Promise<Agent> {
  const [near, far] = memoryPair();
  serveOver(far);
  return attachAgent(near, options);
}

/** A gateway at `/acp` of a server, with default options. */
export function serveGateway(server: Server, database: string, agent: HostedAgent): void {
  const gateway = new Gateway({ store: sqliteStore({ path: database }), cwd: tmpdir(), agents: { bench: agent } });
  const principal = { tenant: 'bench', scope: 'control' } as const;
  serveWebSockets(
    server,
    { authorize: () => true, maxConnections: 20_000 },
    (transport) => void gateway.attach(transport, { principal, agent: 'bench' }),
  );
}

/**
 * The scripted agent behind a gateway: each update is read from the agent's connection, stored in SQLite, and read from the log for the
 * client. The agents are in this process, one for each session, and are measured with it.
 */
export function serveAgentsHere(server: Server): void {
  serveGateway(server, join(mkdtempSync(join(tmpdir(), 'turnwire-bench-')), 'sessions.sqlite'), { start: agentHere });
}
