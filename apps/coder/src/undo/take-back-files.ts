import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  ChangedSince,
  type ChosenChange,
  type FolderRecord,
  type RecordedTurn,
  type Restoration,
  UnfinishedTurn,
} from '@turnwire/machine/folder-record';
import { failureMessage } from '../tool-error.ts';
import type { NotRestored } from '../conversation/recorded-files.ts';
import { restoredText } from './restored-text.ts';
import type { PlannedChange, UndoContext, UndoneChange, UndoReport } from './undo-report.ts';

/**
 * Restores the files of a folder as they were before a turn, each by itself. A file that cannot be restored is reported; the whole folder, if the
 * end of the turn was not recorded.
 */
export async function takeBackFiles(
  record: FolderRecord,
  turn: RecordedTurn,
  context: UndoContext,
): Promise<UndoReport> {
  const inFolder = ({ path }: { readonly path: string }): string => join(record.folder, path);
  let changes: readonly ChosenChange[];
  try {
    changes = await record.changesToUndo(turn);
  } catch (error) {
    if (!(error instanceof UnfinishedTurn)) throw error;
    return { undone: [], conflicts: [], unkept: [{ path: record.folder, why: error.message }] };
  }
  const { planned, failures } = await record.planTakingBack(changes);
  const undone: UndoneChange[] = [];
  const conflicts: NotRestored[] = failures.map((failure) => ({ ...failure, path: inFolder(failure) }));
  for (const each of planned)
    try {
      undone.push(await restored(record, each, context));
    } catch (error) {
      const why = error instanceof ChangedSince ? error.message : failureMessage(error);
      conflicts.push({ path: inFolder(each), why });
    }
  await record.markUndone(turn);
  return { undone, conflicts, unkept: [] };
}

async function restored(
  record: FolderRecord,
  restoration: Restoration,
  { ask, through }: UndoContext,
): Promise<UndoneChange> {
  const path = join(record.folder, restoration.path);
  const { to } = restoration;
  const bytes = await record.contentOf(restoration);
  const text = bytes ? restoredText(bytes) : '';
  const planned: PlannedChange = { kind: to ? 'restored' : 'removed', path, text };
  // An editor asks the user by itself.
  if (to && restoration.now && text !== undefined) {
    const written = await restoreThrough(planned, text, through);
    if (written) return written;
  }
  if (ask && !(await ask(planned))) throw new ChangedSince('you did not allow the change');
  await record.restore(restoration);
  return { kind: planned.kind, path };
}

/**
 * Restores a text through a client that can write, so that its editor shows the restored text as well.
 * @returns undefined if it has to be restored on the disk
 */
async function restoreThrough(
  { path }: PlannedChange,
  text: string,
  through: UndoContext['through'],
): Promise<UndoneChange | undefined> {
  if (!through?.client.writeTextFile) return undefined;
  const { files, client, workspace } = through;
  const disk = await readFile(path);
  const file = await workspace.locate(path);
  const current = await files.read(file, client);
  if (current === undefined || current === text) return undefined;
  // The turn's changes reached the disk, so any other text in the editor is the user's.
  if (current !== restoredText(disk)) throw new ChangedSince('it has unsaved changes in the editor');
  const { notes } = await files.replace(file, { expected: current, text }, client);
  return { kind: 'restored', path, ...(notes.length > 0 && { note: notes.join(' ') }) };
}
