import { commentsPrompt } from '@turnwire/machine/folder-record';
import { exitCodes } from '../../exit-codes.ts';
import { CommandError } from '../../failure.ts';
import type { GlobalOptions } from '../../options.ts';
import { commentOnFile, linesNamed } from '../../sessions/review-comment.ts';
import { folderRecord } from '../../sessions/turn-recorder.ts';
import { cleanText } from '../../terminal/clean-text.ts';
import { stdout } from '../../terminal/output.ts';
import { prompt } from '../prompt.ts';

/** Adds a comment on a file or its lines. Resolves with the exit code. */
export async function addComment(where: string, text: string, { cwd }: GlobalOptions): Promise<number> {
  const record = folderRecord(cwd);
  const [, path = where, named] = /^(.+):(\d+(?:-\d+)?)$/.exec(where) ?? [];
  const lines = named === undefined ? undefined : linesNamed(named);
  await record.comments.add(await commentOnFile(record, { path: path.replace(/^\.\//, ''), lines, text }));
  return exitCodes.ok;
}

/** Prints the comments that were not sent. */
export async function printComments(
  { clear }: { readonly clear?: true },
  { cwd, format }: GlobalOptions,
): Promise<number> {
  const { comments } = folderRecord(cwd);
  const listed = await comments.list();
  if (format === 'json') stdout.printJson(JSON.stringify(listed));
  else if (listed.length > 0) stdout.printLine(cleanText(commentsPrompt(listed)));
  if (clear) await comments.remove(listed);
  return exitCodes.ok;
}

/** Sends the comments as a prompt of the session of the folder, and prints the turn. They stay if the prompt fails. */
export async function sendComments(options: GlobalOptions): Promise<number> {
  const { comments } = folderRecord(options.cwd);
  const listed = await comments.list();
  if (listed.length === 0)
    throw new CommandError('there is no comment; turnwire review comment FILE:LINE TEXT makes one', exitCodes.usage);
  const draft = { text: commentsPrompt(listed), attachments: [], hasMentions: false };
  const code = await prompt({ draft, wait: true, isBare: true }, options);
  if (code === exitCodes.ok) await comments.remove(listed);
  return code;
}
