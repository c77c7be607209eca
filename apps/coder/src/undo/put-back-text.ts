import { readFile } from 'node:fs/promises';
import { entryPath } from '@turnwire/machine';
import { Conflict } from './conflict.ts';
import type { RecordedChange, TurnRecord } from './turn-record.ts';
import type { UndoneChange, UndoContext } from './undo-report.ts';

/**
 * Restores a text through a client that can write, so that its editor shows the restored text as well.
 * @returns undefined if it has to be restored on the disk
 */
export async function putBackText(
  { path, before, after }: Extract<RecordedChange, { type: 'recorded' }>,
  turn: TurnRecord,
  { through }: UndoContext,
): Promise<UndoneChange | undefined> {
  if (!through?.client.writeTextFile || before.kind !== 'file') return undefined;
  const text = textOf(await readFile(entryPath(turn.folder, before.blob)));
  const disk = await readFile(path).catch(() => undefined);
  if (text === undefined || disk === undefined) return undefined;
  const { files, client, workspace } = through;
  const file = await workspace.locate(path);
  const current = await files.read(file, client);
  if (current === undefined || current === text) return undefined;
  // The turn's changes reached the disk, so any other text in the editor is the user's.
  if (current !== textOf(disk) && after?.print !== before.print)
    throw new Conflict('it has unsaved changes in the editor');
  const { notes } = await files.replace(file, { expected: current, text }, client);
  return { kind: 'restored', path, ...(notes.length > 0 && { note: notes.join(' ') }) };
}

/** Without byte order mark. Undefined for a binary file. */
export function textOf(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}
