import { estimateTokenCount } from 'tokenx';
import { compactionCut } from '../compaction/compaction-cut.ts';
import { trimResults } from '../conversation/tool-results.ts';
import type { CoderTurn } from '../session/session-memory.ts';
import type { Tools } from './run-tool-call.ts';
import { compactConversation } from '../compaction/compact-conversation.ts';
import { conversationBudget, restBudget } from '../compaction/context-budget.ts';
import { reportUsage } from '../session/count-usage.ts';
import type { Loop } from './loop.ts';

/** The last messages, whose results stay if possible: the model is working with them. */
const recent = 6;

/**
 * Makes the conversation leave space for an answer: cuts long tool results that are some steps old, and if that is not
 * enough, summarises the older part. If the size of the context is unknown, it waits for the provider's error.
 */
export async function fitContext(turn: CoderTurn, loop: Loop, tools: Tools): Promise<void> {
  const budget = conversationBudget(loop.chosen);
  if (budget === undefined || loop.budget.isGivenUp) return;
  const besides = (): number => tokensBesides(loop, tools);
  if (tokensOf(turn, besides) <= budget) return;
  if (trimOldResults(turn, recent) && tokensOf(turn, besides) <= budget * 0.8) return;
  const outcome = await compact(turn, loop, restBudget(loop.chosen));
  loop.budget.isGivenUp = outcome === 'failed' || (outcome === 'done' && tokensOf(turn, besides) > budget);
}

/** Handles the provider's error that the conversation is too long. Returns true if a retry makes sense: once per turn. */
export async function shrinkAfterOverflow(turn: CoderTurn, loop: Loop): Promise<boolean> {
  if (loop.budget.hasOverflown) return false;
  loop.budget.hasOverflown = true;
  const tokens = tokensOf(turn, () => 0);
  const isTrimmed = trimOldResults(turn, 0);
  const outcome = await compact(turn, loop, Math.min(restBudget(loop.chosen), Math.floor(tokens / 3)));
  return isTrimmed || outcome === 'done';
}

function tokensOf(turn: CoderTurn, besides: () => number): number {
  const { conversation } = turn.session.memory;
  return conversation.meter.tokens(conversation.messages, besides);
}

function tokensBesides({ system }: Loop, tools: Tools): number {
  const schemas = [...tools.values()].map(({ name, description, inputSchema }) => [name, description, inputSchema]);
  return estimateTokenCount(system()) + estimateTokenCount(JSON.stringify(schemas));
}

/** @param spared how many of the last messages stay unchanged. @returns whether there was anything to cut */
function trimOldResults(turn: CoderTurn, spared: number): boolean {
  const { conversation } = turn.session.memory;
  const before = Math.max(0, conversation.messages.length - spared);
  if (trimResults(conversation.messages, before) === conversation.messages) return false;
  conversation.trimResults(before, (value) => turn.session.keep(value));
  return true;
}

type Outcome = 'done' | 'failed' | 'nothing to gain';

async function compact(turn: CoderTurn, { chosen, limits }: Loop, budget: number): Promise<Outcome> {
  const { conversation } = turn.session.memory;
  const cut = compactionCut(conversation.messages, { lastTurn: conversation.lastTurn, budget });
  if (cut === undefined) return 'nothing to gain';
  const isDone = await compactConversation(turn, { chosen, cut, spend: (spent) => limits.spend(spent) });
  if (!isDone) return 'failed';
  await reportUsage(turn, chosen);
  return 'done';
}
