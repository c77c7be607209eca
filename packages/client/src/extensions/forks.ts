import { type AgentCapabilities, type TurnwireMeta, turnwireMeta } from '@turnwire/protocol';

/** How a session is forked. */
export type WantedFork = TurnwireMeta['session/fork'];

/** The settings of a {@link WantedFork} that an agent knows: those that are `true`. */
export type KnownForkSettings = TurnwireMeta['fork capability'];

/** The fork settings that an agent supports, or a gateway on its behalf. Undefined if it cannot fork. */
export function forksOf(capabilities: AgentCapabilities | undefined): KnownForkSettings | undefined {
  const { fork } = (capabilities?.sessionCapabilities ?? {}) as {
    readonly fork?: { readonly _meta?: Readonly<Record<string, unknown>> } | null;
  };
  return fork ? turnwireMeta<'fork capability'>(fork._meta) : undefined;
}
