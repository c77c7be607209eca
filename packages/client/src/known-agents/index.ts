export { type AgentClues, fetchedCommand, installedCommand, knownAgent, knownAgentNamed } from './find-known-agent.ts';
export type { AgentDifferences, AskingMeans, KnownAgent, KnownCommand } from './known-agent.ts';
export { startOptionsFor, permissionsOptionsFor } from './options-for.ts';
export { knownAgents } from './known-agents.ts';
