import type { ChosenModel } from '../model/model.ts';

type Window = Pick<ChosenModel, 'contextWindow' | 'maxOutputTokens'>;

const usualAnswer = 16_384;
const usualRest = 20_000;

/** Tokens a conversation may take so that an answer fits behind it. Undefined: nobody knows. */
export function conversationBudget({ contextWindow, maxOutputTokens = usualAnswer }: Window): number | undefined {
  if (contextWindow === undefined) return undefined;
  return Math.floor(contextWindow - Math.min(maxOutputTokens, contextWindow / 3));
}

/** Tokens a compaction keeps as they are. */
export function restBudget({ contextWindow = 4 * usualRest }: Window): number {
  return Math.floor(Math.min(usualRest, contextWindow / 4));
}

/** What was tried in one turn to have the conversation fit. */
export class ContextBudget {
  /** Compactions do not help: they failed, or left too much. The next turn tries again. */
  isGivenUp = false;
  /** The provider said that it does not fit, and it was compacted. */
  hasOverflown = false;
}
