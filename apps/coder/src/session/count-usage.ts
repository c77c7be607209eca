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
