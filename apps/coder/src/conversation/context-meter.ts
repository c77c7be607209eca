import { estimateTokens } from './estimate-tokens.ts';
import type { ConversationMessage } from './kept-conversation.ts';

/** How many tokens a conversation takes: what a model counted, and an estimate of what was said since. */
export class ContextMeter {
  #measured: { readonly tokens: number; readonly messages: number } | undefined;

  /** A model counted these tokens for so many messages, with what it was told besides. */
  measured(tokens: number, messages: number): void {
    this.#measured = { tokens, messages };
  }

  /** The messages are others than those that were counted. */
  forget(): void {
    this.#measured = undefined;
  }

  /** @param besides what models are told besides the messages, in tokens: asked where nothing was measured */
  tokens(messages: readonly ConversationMessage[], besides: () => number): number {
    const { tokens, messages: counted } = this.#measured ?? { tokens: besides(), messages: 0 };
    return tokens + estimateTokens(messages.slice(counted));
  }
}
