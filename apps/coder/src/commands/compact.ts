import type { CompactionCut } from '../compaction/compaction-cut.ts';
import type { Conversation } from '../conversation/conversation.ts';
import { estimateTokens } from '../conversation/estimate-tokens.ts';
import { compactConversation } from '../compaction/compact-conversation.ts';
import { reportUsage } from '../session/count-usage.ts';
import { modelChoice } from '../model/model-choice.ts';
import { offlineId } from '../model/model-options.ts';
import type { SlashCommand } from './slash-command.ts';

/** `/compact`: replaces the older part of the conversation by a summary. */
export const compactCommand: SlashCommand = {
  name: 'compact',
  description: 'Replace the older part of the conversation with a summary, to free context',
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
        'The offline model cannot write a summary, so the conversation is unchanged. Choose another model with `/model`.',
      );
      return;
    }
    const before = conversation.messages.length;
    if (!(await compactConversation(turn, { chosen, cut, focus }))) return;
    await reportUsage(turn, chosen);
    const replaced = before - conversation.messages.length + 1;
    await turn.say(`The conversation was compacted: a summary replaces its first ${replaced} messages.`);
  },
};

/** A last turn of at most so many tokens stays. */
const shortTurn = 8_000;

/** The last turn stays if it is short. Undefined: the summary would save nothing. */
function cutOf({ messages, lastTurn }: Conversation): CompactionCut | undefined {
  const isShort = estimateTokens(messages.slice(lastTurn)) <= shortTurn;
  const from = isShort && lastTurn > 1 ? lastTurn : messages.length;
  return from > 1 ? { prompt: undefined, from } : undefined;
}
