import type { Turn } from '@agentwire/agent';
import type { LanguageModelV3Message } from '@ai-sdk/provider';

/** Adds to the conversation, for this connection and for those after it. */
export function remember(turn: Turn, conversation: LanguageModelV3Message[], message: LanguageModelV3Message): void {
  conversation.push(message);
  void turn.session.keep(message);
}
