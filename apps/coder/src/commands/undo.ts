import { inlineCode } from './inline-code.ts';
import type { SlashCommand } from './slash-command.ts';
import { takeBackTurn } from './take-back-turn.ts';
import { readFile } from 'node:fs/promises';
import type { ToolCallContent } from '@turnwire/protocol';
import { modeOf } from '../modes/modes.ts';
import { modeRules } from '../permission/mode-rules.ts';
import type { CoderTurn } from '../session/session-memory.ts';
import { shownDiff } from '../tools/shown-content.ts';
import { restoredText } from '../undo/restored-text.ts';
import type { PlannedChange, UndoContext } from '../undo/undo-report.ts';

/** The most turns to undo at once. */
const mostTurns = 20;

/** `/undo`: undoes the last turn, in the files and in the conversation; with a number, that many turns, the last one first. */
export const undoCommand: SlashCommand = {
  name: 'undo',
  description: 'Undo the last turn, or several: the files they changed, and the conversation',
  hint: '[how many turns]',
  run: async (turn, argument) => {
    const count = argument === '' ? 1 : Number(argument);
    if (!Number.isInteger(count) || count < 1 || count > mostTurns)
      return turn.say(
        `${inlineCode(argument)} is not a number of turns: \`/undo 3\` undoes three, ${mostTurns} at most.`,
      );
    for (let undone = 0; undone < count && !turn.signal.aborted; undone++) {
      const { files, workspace } = turn.session.memory;
      const report = await takeBackTurn(turn.session, {
        ask: askBeforeUndo(turn),
        through: { files, client: turn.client, workspace },
      });
      if (report === undefined && undone > 0) return undefined;
      await turn.say(`${undone === 0 ? '' : '\n\n'}${report ?? 'There is nothing left to undo.'}`);
    }
    return undefined;
  },
};

/** Asks the user before a file is restored on the disk or removed. Undefined in modes that allow changes. */
function askBeforeUndo(turn: CoderTurn): UndoContext['ask'] {
  if (modeRules[modeOf(turn.session)].changes === 'allow') return undefined;
  const { workspace } = turn.session.memory;
  return async (change) => {
    const shown = workspace.show(change.path);
    const report = turn.tool({
      title: `${change.kind === 'removed' ? 'Delete' : 'Restore'} ${shown}`,
      kind: change.kind === 'removed' ? 'delete' : 'edit',
      locations: [{ path: change.path }],
      content: await diffOf(change),
    });
    const { outcome } = await turn.askPermission(report);
    await (outcome === 'allowed' ? report.complete() : report.fail('Permission was refused; nothing was changed.'));
    return outcome === 'allowed';
  };
}

async function diffOf({ path, text }: PlannedChange): Promise<readonly ToolCallContent[]> {
  if (text === undefined) return [];
  const bytes = await readFile(path).catch(() => undefined);
  const before = bytes && restoredText(bytes);
  return bytes !== undefined && before === undefined ? [] : [shownDiff(path, before, text)];
}
