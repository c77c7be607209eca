import { askBeforeUndo } from './ask-before-undo.ts';
import { inlineCode } from './inline-code.ts';
import type { SlashCommand } from './slash-command.ts';
import { takeBackTurn } from './take-back-turn.ts';

/** The most turns that are undone at once: of more there is no record. */
const mostTurns = 20;

/** `/undo`: undoes the last turn, in the files and in the conversation; with a number so many, the last one first. Again: the turn before. */
export const undoCommand: SlashCommand = {
  name: 'undo',
  description: 'Undo the last turn, or several: the files they changed, and the conversation',
  hint: '[how many turns]',
  run: async (turn, argument) => {
    const count = argument === '' ? 1 : Number(argument);
    if (!Number.isInteger(count) || count < 1 || count > mostTurns)
      return turn.say(`${inlineCode(argument)} is no number of turns: \`/undo 3\` undoes three, ${mostTurns} at most.`);
    for (let undone = 0; undone < count && !turn.signal.aborted; undone++) {
      const { files, workspace } = turn.session.memory;
      const words = await takeBackTurn(turn.session, {
        ask: askBeforeUndo(turn),
        through: { files, client: turn.client, workspace },
      });
      if (words === undefined && undone > 0) return undefined;
      await turn.say(`${undone === 0 ? '' : '\n\n'}${words ?? 'There is nothing left to undo.'}`);
    }
    return undefined;
  },
};
