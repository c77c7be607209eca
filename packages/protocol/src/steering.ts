import { checks } from './generated/checks.ts';
import type { InitializeResponse, PromptRequest } from './generated/types.ts';
import { invalidParams } from './protocol-error.ts';

/**
 * An extension that several agents share: a request with which a client sends a prompt into the turn that runs, so that the agent reads it
 * at
 * its next step. Its parameters are a {@link PromptRequest}.
 */
export const steeringMethod = '_session/steering';

/**
 * The outcome of a prompt that was sent to steer a turn.
 *
 * - `injected`: the running turn took it in; the answer to that turn's `session/prompt` is the end of both.
 * - `promptRequired`: no turn took it; the client has it still, and may send it with `session/prompt`.
 * - `startedNewTurn`: no turn took it, and it began one that no request of the client waits for. Agents made with this library never do
 *   that: outside the turns of `session/prompt` the protocol knows no answers.
 * - `failed`: the agent could not take it.
 */
export type SteeringOutcome = 'injected' | 'promptRequired' | 'startedNewTurn' | 'failed';

/** The answer to {@link steeringMethod}. */
export interface SteeringAnswer {
  readonly outcome: SteeringOutcome;
}

/** For `_meta` of an agent that serves {@link steeringMethod}, in its answer to `initialize`. */
export const steeringAdvertised = { steering: { supported: true } } as const;

/** For `_meta` of a request: if no turn takes the prompt, the agent answers `promptRequired` and starts no turn. */
export const promptRequiredWhenIdle = { steering: { idleBehavior: 'promptRequired' } } as const;

/** Whether an agent serves {@link steeringMethod}. */
export function isSteerable(initialized: Pick<InitializeResponse, '_meta'> | undefined): boolean {
  const { steering } = (initialized?._meta ?? {}) as { readonly steering?: { readonly supported?: unknown } | null };
  return steering?.supported === true;
}

/** Reads the parameters of {@link steeringMethod}. Throws `invalidParams` for others. */
export function steeringRequest(params: unknown): PromptRequest {
  if (!checks.PromptRequest(params))
    throw invalidParams(`${steeringMethod}: { sessionId, prompt } is needed, as for session/prompt`);
  return params as PromptRequest;
}
