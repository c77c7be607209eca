import type { AgentCapabilities } from '@turnwire/protocol';

/** How a session is forked. */
export interface WantedFork {
  /** How many of the last prompts are left out, with what came of them. Default 0. */
  readonly withoutLast?: number | undefined;
  /** The agent restores the files that those turns changed. Default: they stay. */
  readonly restoreFiles?: boolean | undefined;
}

/** Which of these settings an agent knows. Undefined: it makes no forks. */
export function forksOf(capabilities: AgentCapabilities | undefined): KnownSettings | undefined {
  const { fork } = (capabilities?.sessionCapabilities ?? {}) as {
    readonly fork?: { readonly _meta?: { readonly turnwire?: KnownSettings } } | null;
  };
  return fork ? (fork._meta?.turnwire ?? {}) : undefined;
}

type KnownSettings = { readonly [setting in keyof WantedFork]?: boolean };
