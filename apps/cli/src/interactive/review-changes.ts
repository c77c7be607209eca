import {
  type ChangedFile,
  type ChosenChange,
  commentsPrompt,
  type FolderRecord,
  type Hunk,
  patchOf,
} from '@turnwire/machine/folder-record';
import { commitReview, proposedCommit } from '@turnwire/runtime/review';
import { explain } from '../failure.ts';
import { folderRecord } from '../sessions/turn-recorder.ts';
import { cleanLine, visibleLine } from '../terminal/clean-text.ts';
import { hunkLines } from '../terminal/hunk-lines.ts';
import { commentOnFile, linesNamed } from '../sessions/review-comment.ts';
import type { CommandActions } from './chat-actions.ts';

/** A decision about a file or a hunk. `later`: it stays in the review. */
type Decision = 'accept' | 'reject' | 'later';

/** The actions for a file. */
type FileAction = Decision | 'hunks' | 'comment';

/**
 * Lets the user accept and reject what agents changed since the last review, by file or by hunk, and comment on it, until nothing is left or the
 * user stops. Comments are then sent as the next prompt.
 */
export async function reviewChanges(chat: CommandActions): Promise<void> {
  const record = folderRecord(chat.controller.cwd);
  try {
    const isReviewed = await reviewAll(chat, record);
    await sendComments(chat, record);
    if (isReviewed) await commitAccepted(chat, record);
  } catch (error) {
    chat.note(explain(error));
  }
}

/** Resolves with whether everything is reviewed. */
async function reviewAll(chat: CommandActions, record: FolderRecord): Promise<boolean> {
  const all = (text: string): true => (chat.note(text), true);
  let files = await record.changes();
  if (files.length === 0) return all('no agent has changed a file in this folder since the last review');
  while (files.length > 0) {
    const choices = files.map((file) => ({ label: visibleLine(file.path), detail: sizeOf(file), value: file }));
    const everything = { label: 'Accept everything', detail: '', value: 'everything' as const };
    const chosen = await chat.choose<ChangedFile | 'everything'>({
      title: 'Changes since the last review',
      choices: [...choices, everything],
    });
    if (!chosen) return false;
    await (chosen === 'everything' ? record.acceptAll() : reviewFile(chat, record, chosen));
    files = await record.changes();
  }
  return all('everything is reviewed');
}

async function reviewFile(chat: CommandActions, record: FolderRecord, file: ChangedFile): Promise<void> {
  const { before, after } = await record.textsOf(file);
  if (file.hunks.length > 0) await chat.showDiffs([{ path: file.path, oldText: before, newText: after ?? '' }]);
  const byHunk = { label: 'Decide hunk by hunk', value: 'hunks' as const };
  const comment = { label: 'Comment on a line', value: 'comment' as const };
  const decision = await chat.choose<FileAction>({
    title: visibleLine(file.path),
    choices: [...decisions('the file'), ...(file.hunks.length > 1 ? [byHunk] : []), comment],
  });
  if (decision === 'comment') await commentOnLine(chat, record, file);
  if (decision === 'accept') await record.accept([{ file }]);
  if (decision === 'reject') await reject(chat, record, { file });
  if (decision === 'hunks') await reviewHunks(chat, record, file);
}

/** Asks for a line and a comment, which waits until the review ends. */
async function commentOnLine(chat: CommandActions, record: FolderRecord, file: ChangedFile): Promise<void> {
  const where = await chat.askText('The line, such as 42 or 42-48; empty for the whole file: ');
  if (where === undefined) return undefined;
  const lines = linesNamed(where);
  if (where.trim() !== '' && !lines) return chat.note(`${where} is not a line`);
  const text = await chat.askText('The comment: ');
  if (!text?.trim()) return undefined;
  await record.comments.add(await commentOnFile(record, { path: file.path, lines, text: text.trim() }));
  return chat.note('the comment is sent to the agent when the review ends');
}

/** Sends the comments of the review as the next prompt. */
async function sendComments(chat: CommandActions, record: FolderRecord): Promise<void> {
  const comments = await record.comments.list();
  if (comments.length === 0) return;
  const isSent = await chat.choose({
    title: comments.length === 1 ? 'One comment' : `${comments.length} comments`,
    choices: [
      { label: 'Send to the agent', value: true },
      { label: 'Send later', detail: '/review asks again', value: false },
    ],
  });
  if (!isSent) return;
  await record.comments.remove(comments);
  // An @ in the code is not a mention of a file.
  chat.controller.send(commentsPrompt(comments), { hasMentions: false });
}

/** Offers to commit what was accepted, if any of it is not committed. */
async function commitAccepted(chat: CommandActions, record: FolderRecord): Promise<void> {
  const proposed = await proposedCommit(record);
  if (!proposed) return undefined;
  const { files, message } = proposed;
  const isWanted = await chat.choose({
    title: `Commit ${files.length === 1 ? 'the accepted file' : `the ${files.length} accepted files`}`,
    choices: [
      { label: 'Commit', detail: cleanLine(message), value: true },
      { label: 'Do not commit', detail: 'turnwire review commit does it later', value: false },
    ],
  });
  if (!isWanted) return undefined;
  const said = await chat.askText(`The message; empty for "${cleanLine(message)}": `);
  if (said === undefined) return undefined;
  const { commit, skippedHooks } = await commitReview(record, { message: said.trim() || message });
  const hooks = skippedHooks
    ? '; the hooks of the repository did not run: turnwire review commit --hooks runs them'
    : '';
  return chat.note(`committed ${commit.slice(0, 10)}${hooks}`);
}

/** Asks about each hunk, and then applies the decisions together. */
async function reviewHunks(chat: CommandActions, record: FolderRecord, file: ChangedFile): Promise<void> {
  const decided: Record<Decision, Set<Hunk>> = { accept: new Set(), reject: new Set(), later: new Set() };
  for (const [at, hunk] of file.hunks.entries()) {
    chat.say(hunkLines(hunk.lines.map(decoded), chat.page.paint));
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
