import type { Agent, FrameTap, PermissionPolicy } from '@turnwire/client';
import { agentCommand } from './agent-command.ts';
import { clientInfo, driving, environmentFor, startAgent, timeoutsFor } from './drive.ts';
import type { GlobalOptions } from '../options.ts';

/** The callbacks for the agent of a command. */
export interface AgentUse {
  readonly permission: PermissionPolicy;
  readonly tap?: FrameTap | undefined;
  /** Aborts the start. */
  readonly signal?: AbortSignal | undefined;
}

/** Starts the agent the options name. */
export async function openAgent(options: GlobalOptions, { permission, tap, signal }: AgentUse): Promise<Agent> {
  const command = await agentCommand(options);
  const { env, inheritEnv, differences } = command;
  return startAgent(command, {
    cwd: options.cwd,
    env: environmentFor(differences, env),
    inheritEnv,
    clientInfo: clientInfo(),
    permission,
    tap,
    signal,
    ...driving,
    timeouts: timeoutsFor(differences),
  });
}
