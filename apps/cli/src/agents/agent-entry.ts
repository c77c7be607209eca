import type { KnownAgent } from '@turnwire/client/known-agents';

/** Where an agent's command comes from; the first of these that has the name wins. */
export const agentSources = ['user', 'built-in', 'project'] as const;

/** One of {@link agentSources}. */
export type AgentSource = (typeof agentSources)[number];

/** An agent that can be named on the command line. */
export interface AgentEntry {
  readonly name: string;
  readonly source: AgentSource;
  /** The file it is configured in. Absent: in none. */
  readonly file?: string;
  /** False for one of the project that the user has not agreed to start. Absent for all others. */
  readonly isAccepted?: false;
  /** The words it is started with. Empty: they cannot be told from its command line. */
  readonly words: readonly string[];
  /** Names of the variables it is configured with. Their values are nobody's business. */
  readonly variables: readonly string[];
  /** Where its program is; undefined if it is not on this machine. */
  readonly path: string | undefined;
  /** A program it needs besides, and that is not on this machine. */
  readonly lacks?: string;
  /** The exact version that is started, where the command names one. */
  readonly version?: string;
  /** What is known of an agent that is started like this. */
  readonly known?: KnownAgent;
  /** Other agents of the same name, which are not used, and why. */
  readonly hidden: readonly { readonly source: AgentSource; readonly file?: string }[];
}
