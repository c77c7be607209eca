import type { HostedAgent } from '@turnwire/gateway';
import type { AgentCommand } from '../driving/agent-command.ts';
import { clientInfo, driving, environmentFor, startAgent, timeoutsFor } from '../driving/drive.ts';
import { reconnectOptionsFor } from '../driving/remote-agent.ts';

/** The agent of a command, for the sessions of a gateway: each starts it in its own folder. */
export function hostedAgent({ words, env, inheritEnv, differences }: AgentCommand): HostedAgent {
  return {
    differences,
    ...reconnectOptionsFor(words),
    start: (options, { cwd }) =>
      startAgent(words, {
        ...options,
        cwd,
        env: environmentFor(differences, env),
        inheritEnv,
        clientInfo: clientInfo(),
        timeouts: timeoutsFor(differences),
        peer: driving.peer,
      }),
  };
}
