import { type ContentBlock, invalidParams, type Params, requestCancelled } from '@turnwire/protocol';
import type { V2 } from '@turnwire/protocol/v2';
import type { ClientState } from './client-state.ts';
import { promptKey, promptMeta } from './prompt-meta.ts';

/**
 * Answers `session/prompt` of version 2 when the message is part of the conversation, after the update with the message. The turn continues
 * after the answer; updates report its end.
 */
export function insertPrompt(
  client: ClientState,
  { sessionId, prompt, idempotencyKey, _meta }: Params<'session/prompt', V2>,
  signal: AbortSignal,
): Promise<{ readonly messageId: string }> {
  if (prompt.length === 0) throw invalidParams('prompt: expected at least one block');
  const { host, subscriber, subscription } = client.controlled(sessionId);
  const own = typeof idempotencyKey === 'string' ? promptKey('idempotencyKey', idempotencyKey) : undefined;
  const { key = own, ...options } = promptMeta(_meta, client.principal);
  const withdrawn = new AbortController();
  const withdraw = (): void => withdrawn.abort();
  return new Promise<{ readonly messageId: string }>((resolve, reject) => {
    let accepted: string | undefined;
    let forget: (() => void) | undefined;
    signal.addEventListener('abort', withdraw, { once: true });
    const turn = host.prompt({
      ...{ content: prompt as readonly ContentBlock[], subscriber, key, isUnattended: true, signal: withdrawn.signal },
      onAccepted: (turnId) => {
        accepted = turnId;
        forget = subscriber.onInserted?.(turnId, () => resolve({ messageId: turnId }));
      },
      ...options,
    });
    // The message is sent before the turn is over. Then neither its end nor its failure is the answer.
    const delivered = turn.catch(() => undefined).then(() => subscription.reached(host.head.sequence));
    delivered
      .then(() => turn)
      .then(({ turnId, stopReason }) => {
        const isWithdrawn = stopReason === 'cancelled' && turnId === accepted;
        if (isWithdrawn) reject(requestCancelled('The prompt was cancelled before it was sent'));
        else resolve({ messageId: turnId });
      }, reject);
    void delivered.finally(() => forget?.());
  }).finally(() => signal.removeEventListener('abort', withdraw));
}
