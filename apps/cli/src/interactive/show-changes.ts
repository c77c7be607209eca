import { type FileChange, sessionChanges, textBefore } from '@turnwire/client/changes';
import { shortPath } from '@turnwire/client/view';
import type { Diff } from '@turnwire/protocol';
import { explain } from '../failure.ts';
import { visibleLine } from '../terminal/clean-text.ts';
import { diffSizeText } from '../terminal/diff-lines.ts';
import type { CommandActions } from './chat-actions.ts';
import { readFile, rm, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isInside, realPath, replaceFile, undefinedIfMissing } from '@turnwire/machine';

/** Lists the files that the session changed, shows the changes of one, and undoes them if the user confirms. */
export async function showChanges(chat: CommandActions): Promise<void> {
  const { page, controller } = chat;
  const { cwd, conversation } = controller;
  try {
    const changes = sessionChanges(conversation.transcript.entries);
    const files = (await Promise.all(changes.map((change) => changedFile(change, cwd)))).filter(isChanged);
    if (files.length === 0) return chat.note('the agent has reported no changes of files in this session');
    const choices = files.map((file) => ({
      label: visibleLine(shortPath(file.path, page.folder)),
      detail: sizeOf(file),
      value: file,
    }));
    const file = await chat.choose({ title: 'Changes of this session', choices });
    if (!file) return;
    await chat.showDiffs(diffsOf(file));
    await offerUndo(chat, file);
  } catch (error) {
    chat.note(explain(error));
  }
}

async function offerUndo(chat: CommandActions, file: ChangedFile): Promise<void> {
  const { page } = chat;
  const { cwd } = chat.controller;
  const name = visibleLine(shortPath(file.path, page.folder));
  if (!file.isInFolder) return chat.note('it is outside the folder of the chat, and can only be undone by hand');
  if (file.before === undefined) return chat.note('it was changed since, and can only be undone by hand');
  const choices = [
    { label: 'Keep the changes', value: false },
    { label: `Undo them: ${file.before === null ? `delete ${name}` : `restore the old text of ${name}`}`, value: true },
  ];
  if (!(await chat.choose({ title: name, choices }))) return;
  if (!(await undoChange(file, cwd))) return chat.note(`not undone: ${name} has just been changed`);
  chat.note(`undone: ${name}; the next prompt informs the agent`);
  chat.controller.attachments.addText(
    `that ${name} was undone`,
    `I have undone all changes of this session in ${file.path}.`,
  );
}

function isChanged({ now, before }: ChangedFile): boolean {
  return now !== before;
}

/** The whole change if the previous text is known; otherwise each step. */
function diffsOf({ change, path, now, before }: ChangedFile): readonly Diff[] {
  return before === undefined ? change.steps : [{ path, oldText: before, newText: now ?? '' }];
}

function sizeOf(file: ChangedFile): string {
  const sizes = diffsOf(file).map(diffSizeText).join(', ');
  if (file.before === undefined) return `${sizes}, changed since`;
  return file.before === null ? `new, ${sizes}` : sizes;
}

/** A file that a session changed, as it is now. */
interface ChangedFile {
  readonly change: FileChange;
  /** The absolute path. */
  readonly path: string;
  /** The current text; `null` if the file does not exist. */
  readonly now: string | null;
  /** The previous text; `null` if the file did not exist; undefined if it is unknown, because others have changed the file since. */
  readonly before: string | null | undefined;
  /** Whether the file is in the folder of the chat after resolving links. */
  readonly isInFolder: boolean;
}

/** The current state of a file that a session changed. */
async function changedFile(change: FileChange, cwd: string): Promise<ChangedFile> {
  const path = resolve(cwd, change.path);
  const now = (await readFile(path, 'utf8').catch(undefinedIfMissing)) ?? null;
  const [folder, real] = [realPath(cwd), realPath(path)];
  const isInFolder = folder !== undefined && real !== undefined && isInside(folder, real);
  return { change, path, now, before: textBefore(now, change), isInFolder };
}

/** Restores the previous text of a file. Resolves with false, without effect, if the file has changed in the meantime. */
async function undoChange({ change, path, now, before, isInFolder }: ChangedFile, cwd: string): Promise<boolean> {
  const current = await changedFile(change, cwd);
  if (before === undefined || !isInFolder || !current.isInFolder || current.now !== now) return false;
  if (before === null) await rm(path);
  else await replaceFile(path, before, now === null ? 0o644 : (await stat(path)).mode & 0o777);
  return true;
}
