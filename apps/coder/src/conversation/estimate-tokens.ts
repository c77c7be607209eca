import { estimateTokenCount } from 'tokenx';
import type { ConversationMessage } from './kept-conversation.ts';

/** About the number of tokens providers charge for an image or a page. */
const tokensOfFile = 1_500;
const tokensOfMessage = 4;

/** Estimates the tokens of messages. */
export function estimateTokens(messages: readonly ConversationMessage[]): number {
  return messages.reduce((sum, message) => {
    const tokens =
      known.get(message) ?? message.content.reduce((parts, part) => parts + estimatePart(part), tokensOfMessage);
    known.set(message, tokens);
    return sum + tokens;
  }, 0);
}

// Messages never change, and long ones would be counted again before every step.
const known = new WeakMap<ConversationMessage, number>();

function estimatePart(part: ConversationMessage['content'][number]): number {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return estimateTokenCount(part.text);
    case 'tool-call':
      return estimateTokenCount(JSON.stringify(part.input));
    case 'tool-result':
      return part.output.type === 'content'
        ? part.output.value.reduce(
            (sum, item) => sum + (item.type === 'text' ? estimateTokenCount(item.text) : tokensOfFile),
            0,
          )
        : estimateTokenCount(JSON.stringify(part.output));
    default:
      return tokensOfFile;
  }
}
