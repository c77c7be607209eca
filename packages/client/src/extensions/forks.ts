import type { AgentCapabilities } from '@turnwire/protocol';

/** How a session is forked. */
export interface WantedFork {
  /** How many of the last prompts are left out, with what came of them. Default 0. */
  readonly withoutLast?: number | undefined;
  /** The agent restores the files that those turns changed. Default: they stay. */
  readonly restoreFiles?: boolean | undefined;
}

/** Which settings of forks an agent knows, or a gateway does for it. Undefined: it makes no forks. */
export function forksOf(capabilities: AgentCapabilities | undefined): KnownForkSettings | undefined {
  const { fork } = (capabilities?.sessionCapabilities ?? {}) as {
    readonly fork?: { readonly _meta?: { readonly turnwire?: KnownForkSettings } } | null;
  };
  return fork ? (fork._meta?.turnwire ?? {}) : undefined;
}

/** The settings of a {@link WantedFork} that an agent knows: those that are `true`. */
export type KnownForkSettings = { readonly [setting in keyof WantedFork]?: boolean };
