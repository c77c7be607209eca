import type { KnownAgent } from '@turnwire/client/known-agents';

/** Where an agent's command comes from; the first source that has the name wins. */
export const agentSources = ['user', 'built-in', 'known', 'project'] as const;

/** One of {@link agentSources}. */
export type AgentSource = (typeof agentSources)[number];

/** An agent that can be named on the command line. */
export interface AgentEntry {
  readonly name: string;
  readonly source: AgentSource;
  /** The configuration file it is in. Absent: it is not configured. */
  readonly file?: string;
  /** False for an agent of the project that the user has not agreed to start. Absent for all others. */
  readonly isAccepted?: false;
  /** The words it is started with. Empty: its command line cannot be split. */
  readonly words: readonly string[];
  /** Names of its configured variables. Their values stay private. */
  readonly variables: readonly string[];
  /** Path of its program; undefined if it is not installed. */
  readonly path: string | undefined;
  /** Another program that it needs and that is not installed. */
  readonly lacks?: string;
  /** Whether npx gets it when it is named: `offered` once the user agrees to that. Absent: it is here, or npx does not have it. */
  readonly fetching?: 'agreed' | 'offered';
  /** The exact version that is started, if the command names one. */
  readonly version?: string;
  /** What is known about an agent that is started like this. */
  readonly known?: KnownAgent;
  /** Other agents of the same name, which this one hides, and why. */
  readonly hidden: readonly { readonly source: AgentSource; readonly file?: string }[];
}
