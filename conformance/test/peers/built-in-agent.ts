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

/** A folder for the data of an agent, and the environment variables that select it. Nothing of the user who runs the tests is inherited. */
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

/** The built-in agent as a process, as users start it. */
export function builtInAgentProcess({ env }: AgentHome): AgentSubject {
  return commandSubject([process.execPath, bundleProgram(main)], env);
}

/** The built-in agent in this process, which starts at once. It has no bytes and no process to observe. */
export function builtInAgent({ env }: AgentHome): AgentSubject {
  return {
    name: 'turnwire coder',
    open: ({ cwd }) => {
      const [client, agent] = memoryPair();
      // Sessions are listed by this folder: hundreds of scenarios share a home, and some list all sessions.
      const served = serveCoder({ env, transport: agent, sessions: join(cwd, '.sessions') });
      const line = transportLine(client);
      return Promise.resolve({
        ...line,
        // As with a process, its sessions become available to the next instance when it ends.
        close: async () => {
          await line.close();
          await served.closed;
        },
      });
    },
  };
}
