import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { attachAgent } from '@turnwire/client';
import { Gateway, sqliteStore } from '@turnwire/gateway';
import { memoryPair } from '@turnwire/transports/memory';
import { serveWebSockets } from '@turnwire/transports/websocket/node';
import type { RemoteContender } from '../remote/remote-contender.ts';
import { connectOver, serveOver } from '../wire/turnwire.ts';

/**
 * The scripted agent behind a gateway, with everything it does by default: each update is read from the agent's connection, stored in
 * SQLite, and read from the log for the client. The agents are in this process, one for each session, and are measured with it.
 */
export const turnwire: RemoteContender = {
  serve: (server) => {
    const path = join(mkdtempSync(join(tmpdir(), 'turnwire-bench-')), 'sessions.sqlite');
    const gateway = new Gateway({
      store: sqliteStore({ path }),
      cwd: tmpdir(),
      agents: {
        bench: {
          start: (options) => {
            const [near, far] = memoryPair();
            serveOver(far);
            return attachAgent(near, options);
          },
        },
      },
    });
    const principal = { tenant: 'bench', scope: 'control' } as const;
    serveWebSockets(
      server,
      { authorize: () => true, maxConnections: 20_000 },
      (transport) => void gateway.attach(transport, { principal, agent: 'bench' }),
    );
  },
  connect: () => connectOver(memoryPair()[0], () => undefined),
};
