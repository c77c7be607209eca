import {
  checks,
  invalidParams,
  type PromptRequest,
  type PromptResponse,
  type SteeringAnswer,
} from '@turnwire/protocol';
import { cursorText } from '@turnwire/runtime';
import { promptMeta } from './prompt-meta.ts';
import type { ClientState } from './client-state.ts';
import { overBudget } from './over-budget.ts';

/** Answers `session/prompt` when the turn has ended. */
export async function prompt(
  client: ClientState,
  { sessionId, prompt: content, _meta }: PromptRequest,
  { signal }: { readonly signal: AbortSignal },
): Promise<PromptResponse> {
  const { host, subscriber, subscription } = client.controlled(sessionId);
  const options = promptMeta(_meta, client.principal);
  const { signal: cancelled, arrived } = client.arriving.add(sessionId, signal);
  const { turnId, stopReason, meta, usage, decisions, stopped } = await host
    .prompt({ content, subscriber, signal: cancelled, onAccepted: arrived, onJoined: arrived, ...options })
    .finally(arrived);
  const { head } = host;
  // The answer follows all messages of the turn.
  await subscription.reached(head.sequence);
  const turnwire = { cursor: cursorText(head), turnId, ...(decisions && { decisions }), ...(stopped && { stopped }) };
  const reason = stopped?.reason === 'budget' && !client.readsEvents ? overBudget(stopReason) : stopReason;
  return { stopReason: reason, ...(usage && { usage }), _meta: { ...meta, turnwire } };
}

/** Accepts a prompt without waiting for its turn. Resolves when the prompt runs or is in the queue. */
export function enqueue(
  client: ClientState,
  { sessionId, prompt: content, _meta }: PromptRequest,
): Promise<{ readonly turnId: string }> {
  if (!checks.PromptRequest({ sessionId, prompt: content }))
    throw invalidParams('_turnwire/enqueue: { sessionId, prompt } is needed, as for session/prompt');
  const { host, subscriber } = client.controlled(sessionId);
  const options = promptMeta(_meta, client.principal);
  const { signal } = new AbortController();
  return new Promise((resolve, reject) => {
    const onAccepted = (turnId: string): void => resolve({ turnId });
    // A failure of the turn is in the log.
    host.prompt({ content, subscriber, isUnattended: true, signal, onAccepted, ...options }).catch(reject);
  });
}

/** Adds a prompt to the running turn, which then ends for both. */
export async function steer(client: ClientState, request: PromptRequest): Promise<SteeringAnswer> {
  const { host } = client.controlled(request.sessionId);
  if (!host.turns.areUnderWay) return { outcome: 'promptRequired' };
  const { turnId } = await enqueue(client, request);
  const isTaken = (await host.turns.steer(turnId)) || !host.turns.withdraw(turnId);
  return { outcome: isTaken ? 'injected' : 'promptRequired' };
}
