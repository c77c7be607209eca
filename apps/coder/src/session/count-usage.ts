import type { LanguageModelV3Usage } from '@ai-sdk/provider';
import type { ChosenModel } from '../model/model.ts';
import type { CoderSession, CoderTurn } from './session-memory.ts';
import { spentOn } from './session-usage.ts';
import type { Spent } from './session-usage.ts';

/** Counts a model's usage for the session. */
export function countSpent(session: CoderSession, chosen: ChosenModel, usage: LanguageModelV3Usage): Spent {
  const spent = spentOn(usage, chosen.price);
  session.memory.usage.add(chosen, spent, (value) => session.keep(value));
  return spent;
}

/** The tokens of a turn, for the answer to its prompt. Undefined: no model reported any. @param before those of the session before the turn */
export function turnUsage({ memory }: CoderSession, before: Omit<Spent, 'cost'>): object | undefined {
  const { tokens } = memory.usage;
  const cachedReadTokens = tokens.cacheRead - before.cacheRead;
  const cachedWriteTokens = tokens.cacheWrite - before.cacheWrite;
  const read = tokens.input - before.input;
  const outputTokens = tokens.output - before.output;
  if (read + outputTokens === 0) return undefined;
  return {
    totalTokens: read + outputTokens,
    inputTokens: Math.max(0, read - cachedReadTokens - cachedWriteTokens),
    ...{ outputTokens, cachedReadTokens, cachedWriteTokens },
  };
}

/** Sends the client the context usage, and the cost of the session if known. */
export async function reportUsage(turn: CoderTurn, { contextWindow }: ChosenModel): Promise<void> {
  if (contextWindow === undefined) return;
  const { conversation, usage } = turn.session.memory;
  const used = conversation.meter.tokens(conversation.messages, () => 0);
  await turn.usage({
    used,
    size: contextWindow,
    ...(usage.cost !== undefined && { cost: { amount: Math.round(usage.cost * 1e6) / 1e6, currency: 'USD' } }),
  });
}
