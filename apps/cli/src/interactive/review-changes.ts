import {
  type ChangedFile,
  type ChosenChange,
  type FolderRecord,
  type Hunk,
  patchOf,
} from '@turnwire/machine/folder-record';
import { explain } from '../failure.ts';
import { folderRecord } from '../sessions/turn-recorder.ts';
import { visibleLine, visibleText } from '../terminal/clean-text.ts';
import type { CommandActions } from './chat-actions.ts';

/** A decision about a file or a hunk. `later`: it stays in the review. */
type Decision = 'accept' | 'reject' | 'later';

/** Lets the user accept and reject what agents changed since the last review, by file or by hunk, until nothing is left or the user stops. */
export async function reviewChanges(chat: CommandActions): Promise<void> {
  const record = folderRecord(chat.controller.cwd);
  const none = (text: string): void => chat.note(text);
  try {
    let files = await record.changes();
    if (files.length === 0) return none('no agent has changed a file in this folder since the last review');
    while (files.length > 0) {
      const choices = files.map((file) => ({ label: visibleLine(file.path), detail: sizeOf(file), value: file }));
      const everything = { label: 'Accept everything', detail: '', value: 'everything' as const };
      const chosen = await chat.choose<ChangedFile | 'everything'>({
        title: 'Changes since the last review',
        choices: [...choices, everything],
      });
      if (!chosen) return undefined;
      await (chosen === 'everything' ? record.acceptAll() : reviewFile(chat, record, chosen));
      files = await record.changes();
    }
    return none('everything is reviewed');
  } catch (error) {
    return none(explain(error));
  }
}

async function reviewFile(chat: CommandActions, record: FolderRecord, file: ChangedFile): Promise<void> {
  const { before, after } = await record.textsOf(file);
  if (file.hunks.length > 0) await chat.showDiffs([{ path: file.path, oldText: before, newText: after ?? '' }]);
  const byHunk = { label: 'Decide hunk by hunk', value: 'hunks' as const };
  const decision = await chat.choose<Decision | 'hunks'>({
    title: visibleLine(file.path),
    choices: [...decisions('the file'), ...(file.hunks.length > 1 ? [byHunk] : [])],
  });
  if (decision === 'accept') await record.accept([{ file }]);
  if (decision === 'reject') await reject(chat, record, { file });
  if (decision === 'hunks') await reviewHunks(chat, record, file);
}

/** Asks about each hunk, and then applies the decisions together. */
async function reviewHunks(chat: CommandActions, record: FolderRecord, file: ChangedFile): Promise<void> {
  const decided: Record<Decision, Set<Hunk>> = { accept: new Set(), reject: new Set(), later: new Set() };
  for (const [at, hunk] of file.hunks.entries()) {
    chat.say(hunk.lines.map((line) => visibleText(decoded(line))));
    const title = `Hunk ${at + 1} of ${file.hunks.length}, at line ${hunk.after.line}`;
    const decision = await chat.choose({ title, choices: decisions('the hunk') });
    if (decision === undefined) break;
    decided[decision].add(hunk);
  }
  if (decided.reject.size > 0) await reject(chat, record, { file, hunks: decided.reject });
  if (decided.accept.size > 0) await record.accept([{ file, hunks: decided.accept }]);
}

async function reject(chat: CommandActions, record: FolderRecord, chosen: ChosenChange): Promise<void> {
  const { file, hunks } = chosen;
  const name = visibleLine(file.path);
  const {
    failures: [failure],
  } = await record.takeBack([chosen]);
  if (failure) return chat.note(`${name} is left as it is: ${failure.why}`);
  chat.controller.attachments.addText(
    `that changes of ${name} were rejected`,
    `I have rejected these changes and taken them back in the file:\n\n${decoded(hunks ? patchOf(file, hunks, 'before') : file.patch)}`,
  );
  return chat.note(`taken back: ${name}; the next prompt informs the agent`);
}

function decisions(what: string): readonly { readonly label: string; readonly value: Decision }[] {
  return [
    { label: `Accept ${what}`, value: 'accept' },
    { label: `Reject ${what}: take it back`, value: 'reject' },
    { label: 'Decide later', value: 'later' },
  ];
}

function sizeOf({ change, added, removed, hunks }: ChangedFile): string {
  const size = hunks.length === 0 ? 'as a whole' : `+${added} −${removed}`;
  return change === 'changed' ? size : `${change}, ${size}`;
}

/** Patches are bytes. */
function decoded(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString();
}
