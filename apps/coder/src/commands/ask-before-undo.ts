import { readFile } from 'node:fs/promises';
import type { ToolCallContent } from '@turnwire/protocol';
import { modeOf } from '../modes/modes.ts';
import { modeRule } from '../permission/mode-rules.ts';
import type { CoderTurn } from '../session/session-memory.ts';
import { shownDiff } from '../tools/shown-content.ts';
import { textOf } from '../undo/put-back-text.ts';
import type { PlannedChange, UndoContext } from '../undo/undo-report.ts';

/** Asks the user of a turn before a file is restored on the disk, removed or moved; not in a mode that allows changes. */
export function askBeforeUndo(turn: CoderTurn): UndoContext['ask'] {
  if (modeRule(modeOf(turn.session), 'changes') === 'allow') return undefined;
  const { workspace } = turn.session.memory;
  return async (change) => {
    const shown = workspace.show(change.path);
    const report = turn.tool({
      title:
        change.kind === 'moved back'
          ? `Move ${workspace.show(change.from)} back to ${shown}`
          : `${change.kind === 'removed' ? 'Delete' : 'Restore'} ${shown}`,
      kind: ({ 'moved back': 'move', removed: 'delete', restored: 'edit' } as const)[change.kind],
      locations: [{ path: change.path }, ...(change.kind === 'moved back' ? [{ path: change.from }] : [])],
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
  const before = bytes && textOf(bytes);
  return bytes !== undefined && before === undefined ? [] : [shownDiff(path, before, text)];
}
