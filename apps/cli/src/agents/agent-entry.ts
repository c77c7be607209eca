import type { KnownAgent } from '@turnwire/client/known-agents';

/** The sources of an agent's command. The first source with the name takes precedence. */
export const agentSources = ['user', 'built-in', 'known', 'project'] as const;

/** One of {@link agentSources}. */
export type AgentSource = (typeof agentSources)[number];

/** An agent that can be named on the command line. */
export interface AgentEntry {
  readonly name: string;
  readonly source: AgentSource;
  /** Its configuration file; absent if it is not configured. */
  readonly file?: string;
  /** False for an agent of the project that the user has not agreed to start. Absent for all others. */
  readonly isAccepted?: false;
  /** Its command as words; empty if the command line cannot be split. */
  readonly words: readonly string[];
  /** Names of its configured variables, without their values, which may be secrets. */
  readonly variables: readonly string[];
  /** The version of the protocol that its configuration asks for. */
  readonly protocol?: 1 | 2;
  /** Path of its program; undefined if it is not installed. */
  readonly path: string | undefined;
  /** Another program that it needs and that is missing. */
  readonly lacks?: string;
  /** Whether npx downloads it on use: `offered` after consent, `agreed` at once. Absent if it is installed, or npx does not have it. */
  readonly fetching?: 'agreed' | 'offered';
  /** The exact version, if the command names one. */
  readonly version?: string;
  /** The known agent that this command starts. */
  readonly known?: KnownAgent;
  /** Other agents of the same name, which this one hides. */
  readonly hidden: readonly { readonly source: AgentSource; readonly file?: string }[];
}
