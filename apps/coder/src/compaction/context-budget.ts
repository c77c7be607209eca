import type { ChosenModel } from '../model/model.ts';

type Window = Pick<ChosenModel, 'contextWindow' | 'maxOutputTokens'>;

const usualAnswer = 16_384;
const usualRest = 20_000;

/** Tokens a conversation may take so that an answer fits after it. Undefined: the size of the context is unknown. */
export function conversationBudget({ contextWindow, maxOutputTokens = usualAnswer }: Window): number | undefined {
  if (contextWindow === undefined) return undefined;
  return Math.floor(contextWindow - Math.min(maxOutputTokens, contextWindow / 3));
}

/** Tokens a compaction retains. */
export function restBudget({ contextWindow = 4 * usualRest }: Window): number {
  return Math.floor(Math.min(usualRest, contextWindow / 4));
}

/** The attempts of one turn to make the conversation fit. */
export class ContextBudget {
  /** Compactions do not help: they failed, or left too much. The next turn tries again. */
  isGivenUp = false;
  /** The provider reported that it does not fit, and it was compacted. */
  hasOverflown = false;
}
