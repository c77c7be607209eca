import type { Config } from './config/config.ts';

/** The agent that comes with this program. */
export const builtInAgentName = 'coder';

/** Whether a word is the name of an agent. */
export async function isAgentName(word: string, { agents = {} }: Config): Promise<boolean> {
  return Object.hasOwn(agents, word);
}
