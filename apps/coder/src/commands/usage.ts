import { modelChoice } from '../model/model-choice.ts';
import { readableCount } from '../session/limit-options.ts';
import type { Spent } from '../session/session-usage.ts';
import type { CoderTurn } from '../session/session-memory.ts';
import type { SlashCommand } from './slash-command.ts';

/** `/usage`: shows the tokens and cost of the session, and the context usage. */
export const usageCommand: SlashCommand = {
  name: 'usage',
  description: 'Show what this session has used and cost so far',
  run: async (turn) => {
    await turn.say([...used(turn), await context(turn)].join('\n'));
  },
};

function used({ session }: CoderTurn): readonly string[] {
  const { usage } = session.memory;
  if (usage.answers === 0) return ['No model was called in this session yet.'];
  const cost = usage.cost === undefined ? 'at an unknown cost' : `${dollars(usage.cost)} in total`;
  return [
    `${usage.answers} ${usage.answers === 1 ? 'answer' : 'answers'} of models, ${cost}:`,
    '',
    ...[...usage.byModel].map(([model, spent]) => `- ${model}: ${describe(spent)}`),
    '',
  ];
}

function describe({ input, cacheRead, output, cost }: Spent): string {
  const cached = cacheRead > 0 ? ` (${readableCount(cacheRead)} from the cache)` : '';
  const price = cost === undefined ? 'no price known' : dollars(cost);
  return `${readableCount(input)} tokens read${cached}, ${readableCount(output)} written, ${price}`;
}

async function context(turn: CoderTurn): Promise<string> {
  const { conversation, models } = turn.session.memory;
  if (conversation.messages.length === 0) return 'The conversation is empty.';
  const tokens = conversation.meter.tokens(conversation.messages, () => 0);
  const window = await models.open(modelChoice(turn.session)).then(
    ({ contextWindow }) => contextWindow,
    () => undefined,
  );
  const share = window === undefined ? '' : ` of ${readableCount(window)} (${Math.round((100 * tokens) / window)} %)`;
  return `The conversation takes about ${readableCount(tokens)} tokens${share}. \`/compact\` shortens it.`;
}

function dollars(amount: number): string {
  return `$${amount.toFixed(amount < 1 ? 4 : 2)}`;
}
