import type { LanguageModelV3Message } from '@ai-sdk/provider';
import { restoreConversation } from './restore-conversation.ts';

/** What stores a conversation: `session.keep`. */
export type Keep = (value: unknown) => Promise<void>;

/** Everything said and done in a session, as models take it. It is whole after every addition: each tool call gets its result next. */
export class Conversation {
  #messages: LanguageModelV3Message[];

  /** @param kept what was stored of it, oldest first */
  constructor(kept: readonly unknown[] = []) {
    this.#messages = restoreConversation(kept);
  }

  get messages(): readonly LanguageModelV3Message[] {
    return this.#messages;
  }

  /** Adds a message, for this connection and for those after it. */
  add(message: LanguageModelV3Message, keep: Keep): void {
    this.#messages.push(message);
    void keep(message);
  }

  /** Forgets the last prompt and everything after it. Returns its text; undefined if there is none. */
  dropLastTurn(keep: Keep): string | undefined {
    const start = this.#messages.findLastIndex(({ role }) => role === 'user');
    const prompt = this.#messages[start];
    if (prompt?.role !== 'user') return undefined;
    this.#messages = this.#messages.slice(0, start);
    void keep({ type: 'turn-dropped' });
    return prompt.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
  }
}
