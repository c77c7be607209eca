import { type ContentBlock, invalidParams, type Params, requestCancelled } from '@turnwire/protocol';
import type { V2 } from '@turnwire/protocol/v2';
import type { SessionPrompt } from '@turnwire/runtime';
import type { ArrivingPrompt } from './arriving-prompts.ts';
import type { ClientState } from './client-state.ts';
import type { PromptIdentity } from './client-subscriber.ts';
import type { OpenedSession } from './opened-sessions.ts';
import { promptKey, promptMeta } from './prompt-meta.ts';

/**
 * Answers `session/prompt` of version 2 when the message is part of the conversation, after the update with the message. The turn continues
 * after the answer; updates report its end. A repeated prompt has the answer of the first one.
 */
export async function insertPrompt(
  client: ClientState,
  { sessionId, prompt, idempotencyKey, _meta }: Params<'session/prompt', V2>,
  signal: AbortSignal,
): Promise<{ readonly messageId: string }> {
  if (prompt.length === 0) throw invalidParams('prompt: expected at least one block');
  const opened = client.controlled(sessionId);
  const content = prompt as readonly ContentBlock[];
  const own = typeof idempotencyKey === 'string' ? promptKey('idempotencyKey', idempotencyKey) : undefined;
  const { key = own, ...options } = promptMeta(_meta, client.principal);
  const message = new SentMessage(opened);
  const arriving = client.arriving.add(sessionId, signal);
  try {
    if (key !== undefined) {
      message.is({ key });
      const earlier = await opened.host.promptWithKey({ key, content });
      await opened.subscription.reached(earlier?.sequence ?? 0);
      if (earlier) return { messageId: earlier.turnId };
    }
    return { messageId: await inserted({ opened, message, arriving, prompt: { content, key, ...options } }) };
  } finally {
    arriving.arrived();
    message.forget();
  }
}

/** Waits until the message of a prompt is sent to the client. */
class SentMessage {
  readonly id: Promise<string>;
  #resolve!: (id: string) => void;
  #forget: (() => void) | undefined;
  readonly #opened: OpenedSession;

  constructor(opened: OpenedSession) {
    this.#opened = opened;
    this.id = new Promise((resolve) => (this.#resolve = resolve));
  }

  is(which: PromptIdentity): void {
    this.#forget = this.#opened.subscriber.onInserted?.(which, this.#resolve);
  }

  forget(): void {
    this.#forget?.();
  }
}

/** A prompt to run, unless it is running. */
interface Insertion {
  readonly opened: OpenedSession;
  readonly message: SentMessage;
  readonly arriving: ArrivingPrompt;
  readonly prompt: Omit<SessionPrompt, 'subscriber' | 'signal'>;
}

/** Resolves with the id of the message. */
async function inserted({ opened, message, arriving, prompt }: Insertion): Promise<string> {
  const { host, subscriber, subscription } = opened;
  const { signal, arrived } = arriving;
  if (signal.aborted) throw notInserted();
  const withdrawn = new AbortController();
  let isRepeated = true;
  let refuse!: (error: Error) => void;
  const refused = new Promise<never>((_, reject) => (refuse = reject));
  const withdraw = (): void => {
    withdrawn.abort(signal.reason);
    // The prompt itself is withdrawn by the request that sent it first.
    if (isRepeated) refuse(notInserted());
  };
  signal.addEventListener('abort', withdraw, { once: true });
  const onAccepted = (turnId: string): void => {
    isRepeated = false;
    arrived();
    if (prompt.key === undefined) message.is({ turnId });
  };
  const turn = host.prompt({
    ...prompt,
    subscriber,
    isUnattended: true,
    signal: withdrawn.signal,
    onAccepted,
    onJoined: arrived,
  });
  // The message is sent before the turn is over. Then neither its end nor its failure is the answer.
  const ended = turn
    .catch(() => undefined)
    .then(() => subscription.reached(host.head.sequence))
    .then(() => turn)
    .then(({ turnId, stopReason }) => {
      if (stopReason === 'cancelled') throw notInserted();
      return turnId;
    });
  try {
    return await Promise.race([message.id, ended, refused]);
  } finally {
    signal.removeEventListener('abort', withdraw);
  }
}

function notInserted(): Error {
  return requestCancelled('The prompt was cancelled before it was sent');
}
