import { estimateTokens } from './estimate-tokens.ts';
import type { ConversationMessage } from './kept-conversation.ts';

/** The size of a conversation in tokens: a model's count plus an estimate for the messages since. */
export class ContextMeter {
  #measured: { readonly tokens: number; readonly messages: number } | undefined;

  /** Records a model's count for so many messages and the system prompt. */
  measured(tokens: number, messages: number): void {
    this.#measured = { tokens, messages };
  }

  /** Drops the count: the messages have changed. */
  forget(): void {
    this.#measured = undefined;
  }

  /** @param besides tokens of the system prompt and the tools: called if nothing was measured */
  tokens(messages: readonly ConversationMessage[], besides: () => number): number {
    const { tokens, messages: counted } = this.#measured ?? { tokens: besides(), messages: 0 };
    return tokens + estimateTokens(messages.slice(counted));
  }
}
