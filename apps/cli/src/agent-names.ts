import type { Config } from './config/config.ts';

/** The agent that comes with this program. */
export const builtInAgentName = 'coder';

/** The names of all agents that are known or configured. */
export async function agentNames({ agents = {} }: Config = {}): Promise<readonly string[]> {
  const { knownAgents } = await import('@agentwire/client/known-agents');
  return [...new Set([builtInAgentName, ...Object.keys(agents), ...knownAgents.map(({ name }) => name)])];
}

/** Whether a word is the name of an agent. */
export async function isAgentName(word: string, config: Config = {}): Promise<boolean> {
  return (await agentNames(config)).includes(word);
}
