import type { IdleStateUpdate } from '@turnwire/protocol/v2';

interface Message {
  isEchoed: boolean;
  idle?: IdleStateUpdate;
  resolve?: (idle: IdleStateUpdate) => void;
  reject?: (error: Error) => void;
}

/**
 * Finds the end of each prompt of a session: the first `idle` after the echo of its message. The answer with the id of the message may come
 * before, between or after the two, so both are recorded while a prompt is open.
 */
export class PromptEnds {
  readonly #messages = new Map<string, Message>();
  #open = 0;

  /** A prompt is sent. */
  begin(): void {
    this.#open++;
  }

  /** A prompt has ended or failed. */
  finish(): void {
    if (--this.#open === 0) this.#messages.clear();
  }

  echoed(messageId: string): void {
    if (this.#open > 0) this.#message(messageId).isEchoed = true;
  }

  idle(update: IdleStateUpdate): void {
    for (const message of this.#messages.values()) {
      if (!message.isEchoed || message.idle !== undefined) continue;
      message.idle = update;
      message.resolve?.(update);
    }
  }

  /** Resolves with the state that ended the prompt with this message. */
  after(messageId: string): Promise<IdleStateUpdate> {
    const message = this.#message(messageId);
    if (message.idle !== undefined) return Promise.resolve(message.idle);
    return new Promise((resolve, reject) => Object.assign(message, { resolve, reject }));
  }

  /** The connection has ended. */
  fail(error: Error): void {
    for (const message of this.#messages.values()) message.reject?.(error);
  }

  #message(messageId: string): Message {
    const message = this.#messages.get(messageId) ?? { isEchoed: false };
    this.#messages.set(messageId, message);
    return message;
  }
}
