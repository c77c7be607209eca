import type { LanguageModelV3Usage } from '@ai-sdk/provider';
import { estimateTokens } from '../conversation/estimate-tokens.ts';
import type { ChosenModel } from '../model/model.ts';
import type { CoderSession, CoderTurn } from '../session/session-memory.ts';
import type { Loop } from './loop.ts';
import type { ModelAnswer } from './model-answer.ts';
import { spentOn } from './session-usage.ts';
import type { Spent } from './session-usage.ts';

/** Counts a model's usage for the session. */
export function countSpent(session: CoderSession, chosen: ChosenModel, usage: LanguageModelV3Usage): Spent {
  const spent = spentOn(usage, chosen.price);
  session.memory.usage.add(chosen, spent, (value) => session.keep(value));
  return spent;
}

/** Counts an answer that was added to the conversation, and reports to the client how full the context is and what the session has cost. */
export async function countAnswer(
  turn: CoderTurn,
  { chosen, limits }: Loop,
  { usage, content }: ModelAnswer,
): Promise<void> {
  limits.step();
  const { conversation } = turn.session.memory;
  const written = estimateTokens([{ role: 'assistant', content: [...content] }]);
  if (usage === undefined) {
    limits.spend({ ...nothing, output: written });
    return;
  }
  const spent = countSpent(turn.session, chosen, usage);
  // Many local servers do not report it.
  limits.spend({ ...spent, output: spent.output || written });
  if (spent.input > 0) conversation.meter.measured(spent.input + spent.output, conversation.messages.length);
  await reportUsage(turn, chosen);
}

/** Reports to the client how full the context is and what the session has cost, if known. */
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

const nothing: Spent = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0, cost: undefined };
