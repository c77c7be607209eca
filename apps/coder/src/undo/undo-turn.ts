import { copyFile, lstat, mkdir, readFile, rmdir, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { entryPath } from '@turnwire/machine';
import { failureMessage } from '../tool-error.ts';
import { moveEntry } from '../workspace/move-entry.ts';
import { Conflict } from './conflict.ts';
import { absent, stateOf } from './path-state.ts';
import type { PathState } from './path-state.ts';
import { putBack } from './snapshot.ts';
import type { Snapshot } from './snapshot.ts';
import { putBackText, textOf } from './put-back-text.ts';
import type { RecordedChange, TurnRecord } from './turn-record.ts';
import type { NotUndone, PlannedChange, UndoneChange, UndoReport, UndoContext } from './undo-report.ts';

type Kept = Exclude<Snapshot, { kind: 'unkept' }>;
type RestorableChange = Extract<RecordedChange, { type: 'recorded' }> & { readonly before: Kept };
type Moved = Extract<RecordedChange, { type: 'moved' }>;

function isKept(change: Extract<RecordedChange, { type: 'recorded' }>): change is RestorableChange {
  return change.before.kind !== 'unkept';
}

/** Undoes the changes of a turn, the last one first. A change that cannot be undone is reported, and the rest continues. */
export async function undoTurn(turn: TurnRecord, context: UndoContext): Promise<UndoReport> {
  const undone: UndoneChange[] = [];
  const conflicts: NotUndone[] = [];
  const unkept: NotUndone[] = [];
  for (const change of (await turn.changes()).toReversed()) {
    const { path } = change;
    try {
      if (change.type === 'moved') undone.push(...(await undoMove(change, context)));
      else if (isKept(change)) undone.push(...(await undoChange(change, turn, context)));
      else if (change.before.kind === 'unkept') unkept.push({ path, why: change.before.why });
    } catch (error) {
      conflicts.push({ path, why: error instanceof Conflict ? error.message : failureMessage(error) });
    }
  }
  return { turn: 'undone', undone, conflicts, unkept };
}

async function undoMove(
  { path, from, after, missingFolders }: Moved,
  context: UndoContext,
): Promise<readonly UndoneChange[]> {
  const [here, there] = await Promise.all([stateOf(path), stateOf(from)]);
  const happened = here.print !== absent.print;
  if (!happened && there.print !== absent.print && (after === undefined || after.print === absent.print)) {
    await removeEmpty(missingFolders);
    return [];
  }
  if (!happened) throw new Conflict('it is no longer where it was moved to');
  if (there.print !== absent.print) throw new Conflict(`it cannot go back to ${from}, because that path is in use now`);
  const moved = { kind: 'moved back', path: from, from: path } as const;
  await agreeTo(moved, { path, now: here }, context);
  await mkdir(dirname(from), { recursive: true });
  await moveEntry(path, from);
  await removeEmpty(missingFolders);
  return [moved];
}

async function undoChange(
  change: RestorableChange,
  turn: TurnRecord,
  context: UndoContext,
): Promise<readonly UndoneChange[]> {
  const { path, before, after } = change;
  const now = await stateOf(path);
  const isAsBefore = now.print === before.print;
  if (after !== undefined && now.print !== after.print && !isAsBefore)
    throw new Conflict(now.print === absent.print ? 'it was removed since' : 'it was changed since');
  const written = await putBackText(change, turn, context);
  if (written) return [written];
  if (isAsBefore) return leftAsItWas(before);
  const kind = before.kind === 'absent' ? 'removed' : 'restored';
  const bytes = before.kind === 'file' && context.ask ? await readFile(entryPath(turn.folder, before.blob)) : undefined;
  await agreeTo({ kind, path, text: kind === 'removed' ? '' : bytes && textOf(bytes) }, { path, now }, context);
  return [await putBackOnDisk(change, now, turn)];
}

/** Asks about a change. Throws Conflict if it is refused, or if the path has changed since. */
async function agreeTo(
  planned: PlannedChange,
  { path, now }: { readonly path: string; readonly now: PathState },
  { ask }: UndoContext,
): Promise<void> {
  if (ask === undefined) return;
  if (!(await ask(planned))) throw new Conflict('you did not allow the change');
  if ((await stateOf(path)).print !== now.print) throw new Conflict('it was changed since');
}

async function putBackOnDisk(change: RestorableChange, now: PathState, turn: TurnRecord): Promise<UndoneChange> {
  const { id, path, before, after } = change;
  // The author of this state is unknown, so it is stored.
  if (after === undefined && now.print !== absent.print)
    await keepPresent(path, entryPath(turn.folder, `present-${id}`));
  if (before.kind !== 'absent') {
    await replace(change, now, turn);
    return { kind: 'restored', path };
  }
  await remove(path, before.missingFolders);
  return { kind: 'removed', path };
}

async function leftAsItWas(before: Kept): Promise<readonly UndoneChange[]> {
  if (before.kind === 'absent') await removeEmpty(before.missingFolders);
  return [];
}

async function keepPresent(path: string, copy: string): Promise<void> {
  if ((await lstat(path)).isFile()) await copyFile(path, copy);
}

async function remove(path: string, missingFolders: readonly string[]): Promise<void> {
  if (!(await lstat(path)).isDirectory()) await unlink(path);
  else if (!(await removeEmpty([path]))) throw new Conflict('the folder is no longer empty');
  await removeEmpty(missingFolders);
}

async function replace(
  { path, before, after }: RestorableChange,
  now: PathState,
  { folder }: TurnRecord,
): Promise<void> {
  if (now.print.startsWith('folder')) throw new Conflict('it is a folder now');
  if (before.kind === 'folder' && now.print !== absent.print) throw new Conflict('it was a folder and no longer is');
  // A mode that was changed in the meantime stays.
  const mode = after !== undefined && now.mode !== undefined && now.mode !== after.mode ? now.mode : undefined;
  await putBack(path, before, { folder, mode });
}

/** Removes empty folders, in this order. Returns whether all were removed. */
async function removeEmpty(folders: readonly string[]): Promise<boolean> {
  for (const folder of folders)
    try {
      await rmdir(folder);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return false;
    }
  return true;
}
