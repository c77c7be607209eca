import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serveCoder } from '@turnwire/coder';
import { memoryPair } from '@turnwire/transports/memory';
import { bundleProgram } from '../../../tools/bundle-program.mjs';
import { type AgentSubject, commandSubject } from '../../src/agent/agent-subject.ts';
import { transportLine } from '../../src/wire/transport-line.ts';

const main = fileURLToPath(new URL('../../../apps/coder/src/main.ts', import.meta.url));

/** A folder for what an agent keeps, and the variables that lead it there. Nothing of the user who runs the tests gets in. */
export interface AgentHome extends AsyncDisposable {
  readonly env: Readonly<Record<string, string>>;
}

export async function agentHome(): Promise<AgentHome> {
  const folder = await mkdtemp(join(tmpdir(), 'turnwire-home-'));
  const { PATH = '' } = process.env;
  return {
    env: {
      PATH,
      HOME: folder,
      TURNWIRE_CODER_MODEL: 'offline',
      XDG_STATE_HOME: join(folder, 'state'),
      XDG_CONFIG_HOME: join(folder, 'config'),
      XDG_DATA_HOME: join(folder, 'data'),
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

/** The built-in agent as people start it: a process. */
export function builtInAgentProcess({ env }: AgentHome): AgentSubject {
  return commandSubject([process.execPath, bundleProgram(main)], env);
}

/** The built-in agent in this process: begun in no time. It has no bytes and no process to look at. */
export function builtInAgent({ env }: AgentHome): AgentSubject {
  return {
    name: 'turnwire coder',
    open: ({ cwd }) => {
      const [client, agent] = memoryPair();
      // Where the scenario is run, so that it finds no sessions but its own: hundreds of scenarios share a home, some look through all.
      const served = serveCoder({ env, transport: agent, sessions: join(cwd, '.sessions') });
      const line = transportLine(client);
      return Promise.resolve({
        ...line,
        // As of a process: when it is over, its sessions are free for the next.
        close: async () => {
          await line.close();
          await served.closed;
        },
      });
    },
  };
}
