import type { CompactionCut } from '../conversation/compaction-cut.ts';
import type { Conversation } from '../conversation/conversation.ts';
import { estimateTokens } from '../conversation/estimate-tokens.ts';
import { compactConversation } from '../loop/compact-conversation.ts';
import { tellUsage } from '../loop/count-usage.ts';
import { modelChoice } from '../model/model-choice.ts';
import { offlineId } from '../model/model-options.ts';
import type { SlashCommand } from './slash-command.ts';

/** `/compact`: has a summary take the place of the older part of the conversation. */
export const compactCommand: SlashCommand = {
  name: 'compact',
  description: 'Replace the older part of the conversation by a summary, to make room',
  hint: '[what to pay attention to]',
  run: async (turn, focus) => {
    const { conversation, models } = turn.session.memory;
    const cut = cutOf(conversation);
    if (cut === undefined) {
      await turn.say('There is nothing to compact: the conversation is short.');
      return;
    }
    const chosen = await models.open(modelChoice(turn.session));
    if (chosen.id === offlineId) {
      await turn.say(
        'The offline model cannot write a summary, so the conversation is as it was. `/model` has others.',
      );
      return;
    }
    const before = conversation.messages.length;
    if (!(await compactConversation(turn, { chosen, cut, focus }))) return;
    await tellUsage(turn, chosen);
    const replaced = before - conversation.messages.length + 1;
    await turn.say(`The conversation was compacted: a summary stands for its first ${replaced} messages.`);
  },
};

/** A last turn of this many tokens is no burden. */
const shortTurn = 8_000;

/** The last turn is kept if it is short. Undefined: what would go is less than what would come. */
function cutOf({ messages, lastTurn }: Conversation): CompactionCut | undefined {
  const isShort = estimateTokens(messages.slice(lastTurn)) <= shortTurn;
  const from = isShort && lastTurn > 1 ? lastTurn : messages.length;
  return from > 1 ? { prompt: undefined, from } : undefined;
}
