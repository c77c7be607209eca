import { agentEnvironment } from '@turnwire/client/node';
import type { HireableAgents } from './coder.ts';
import { readConfig } from '../config/read-config.ts';
import { agentCommand } from '../driving/agent-command.ts';
import { clientInfo, driving, environmentFor, startAgent, timeoutsFor } from '../driving/drive.ts';
import { isRemoteAgent } from '../driving/remote-agent.ts';
import { type CommandLineOptions, completed } from '../options.ts';
import { agentEntries } from '../agents/agent-entries.ts';

/** Set in agents that are hired: the built-in agent, if it is one of them, hires no others. */
const hiredVariable = 'TURNWIRE_CODER_HIRED';

/**
 * The agents that the built-in agent can give tasks to: those of `turnwire agents` that are installed here, and that the user has agreed to
 * start. They are started as the commands of this program start them.
 * @param passed variables of the user for these agents, besides those of this process
 */
export function hireableAgents(options: CommandLineOptions, passed: Readonly<Record<string, string>>): HireableAgents {
  const variables = { ...process.env, ...passed };
  return {
    list: async (cwd) => {
      if (process.env[hiredVariable] !== undefined) return [];
      const entries = await agentEntries(cwd);
      return entries
        .filter(({ source, path, lacks, isAccepted, words }) => {
          const isHere = path !== undefined && lacks === undefined && !isRemoteAgent(words);
          return isHere && isAccepted !== false && source !== 'built-in';
        })
        .map(({ name, known }) => ({ name, ...(known && { title: known.title }) }));
    },
    start: async (name, { cwd, permission, signal }) => {
      const { agent: _, model: __, ...own } = options;
      const command = await agentCommand(completed({ ...own, cwd }, name, await readConfig(cwd)), { variables });
      const { differences, env, inheritEnv } = command;
      const agent = await startAgent(command, {
        ...{ cwd, permission, signal, clientInfo: clientInfo() },
        env: {
          ...agentEnvironment(variables, inheritEnv),
          ...environmentFor(differences, env),
          [hiredVariable]: '1',
        },
        ...driving,
        timeouts: timeoutsFor(differences),
      });
      return { agent, asking: differences?.asking };
    },
  };
}
