import { estimateTokens } from '../conversation/estimate-tokens.ts';
import type { ConversationMessage } from '../conversation/kept-conversation.ts';

/** The part of a conversation that a compaction retains: the messages from `from` on, and the prompt of the running turn if that is before. */
export interface CompactionCut {
  readonly prompt: number | undefined;
  readonly from: number;
}

/**
 * Finds where to cut a conversation in use: before the earliest prompt that leaves a short enough rest. A turn that is too
 * long by itself is cut before one of its answers, so that calls stay with their results.
 * @param lastTurn where the running turn begins
 * @param budget tokens to retain at most, if possible
 * @returns undefined if nothing would be saved
 */
export function compactionCut(
  messages: readonly ConversationMessage[],
  { lastTurn, budget }: { readonly lastTurn: number; readonly budget: number },
): CompactionCut | undefined {
  const fits = (index: number): boolean => estimateTokens(messages.slice(index)) <= budget;
  const prompts = indices(messages, 'user').filter((index) => index > 1 && index <= lastTurn);
  const whole = prompts.find(fits);
  if (whole !== undefined) return { prompt: undefined, from: whole };
  const answers = indices(messages, 'assistant').filter((index) => index > lastTurn + 1);
  const within = answers.find(fits) ?? answers.at(-1);
  if (within !== undefined) return { prompt: lastTurn, from: within };
  return lastTurn > 1 ? { prompt: undefined, from: lastTurn } : undefined;
}

function indices(messages: readonly ConversationMessage[], role: ConversationMessage['role']): readonly number[] {
  return messages.flatMap((message, index) => (message.role === role ? [index] : []));
}
