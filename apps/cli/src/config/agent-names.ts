import { knownAgents } from '@turnwire/client/known-agents';
import { builtInAgentName } from '../built-in-agent.ts';
import type { Config } from './config.ts';

/** The names of all agents that are known or configured. */
export function agentNames({ agents = {} }: Config = {}): readonly string[] {
  return [...new Set([builtInAgentName, ...Object.keys(agents), ...knownAgents.map(({ name }) => name)])];
}

/** Whether a name means an agent to every user, whatever is configured. */
export function isKnownAgent(name: string): boolean {
  return agentNames().includes(name);
}

/** Whether a word is the name of an agent. */
export function isAgentName(word: string, config: Config = {}): boolean {
  return agentNames(config).includes(word);
}
