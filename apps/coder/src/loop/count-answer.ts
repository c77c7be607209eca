import { estimateTokens } from '../conversation/estimate-tokens.ts';
import { countSpent, reportUsage } from '../session/count-usage.ts';
import type { CoderTurn } from '../session/session-memory.ts';
import type { Spent } from '../session/session-usage.ts';
import type { Loop } from './loop.ts';
import type { ModelAnswer } from './model-answer.ts';

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

const nothing: Spent = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0, cost: undefined };
