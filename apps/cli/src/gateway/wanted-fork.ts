import type { AgentCapabilities } from '@turnwire/protocol';

/** How a session is forked. */
export interface WantedFork {
  /** How many of the last prompts are left out, with what came of them. Default 0. */
  readonly withoutLast?: number | undefined;
  /** The agent restores the files that those turns changed. Default: they stay. */
  readonly restoreFiles?: boolean | undefined;
}

/** What an agent can do of it. Undefined: it makes no forks. */
export function forksOf(capabilities: AgentCapabilities | undefined): PossibleForks | undefined {
  const { fork } = (capabilities?.sessionCapabilities ?? {}) as {
    readonly fork?: { readonly _meta?: { readonly turnwire?: PossibleForks } } | null;
  };
  return fork ? (fork._meta?.turnwire ?? {}) : undefined;
}

type PossibleForks = { readonly [part in keyof WantedFork]?: boolean };
