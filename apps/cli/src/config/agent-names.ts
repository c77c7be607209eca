import { knownAgents } from '@turnwire/client/known-agents';
import { builtInAgentName } from '../built-in-agent.ts';
import type { Config } from './config.ts';

/** The names of all known and configured agents. */
export function agentNames({ agents = {} }: Config = {}): readonly string[] {
  return [...new Set([builtInAgentName, ...Object.keys(agents), ...knownAgents.map(({ name }) => name)])];
}

/** Whether a name is an agent for every user, regardless of the configuration. */
export function isKnownAgent(name: string): boolean {
  return agentNames().includes(name);
}

/** Whether a word is the name of an agent. */
export function isAgentName(word: string, config: Config = {}): boolean {
  return agentNames(config).includes(word);
}
