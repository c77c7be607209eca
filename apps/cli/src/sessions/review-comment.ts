import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { commentOn, type FolderRecord, type ReviewComment } from '@turnwire/machine/folder-record';
import { exitCodes } from '../exit-codes.ts';
import { CommandError } from '../failure.ts';

/** `42` or `42-48`. Undefined for anything else. */
export function linesNamed(text: string): readonly [number, number] | undefined {
  const [, first, last = first] = /^(\d+)(?:-(\d+))?$/.exec(text.trim()) ?? [];
  return Number(first) >= 1 && Number(last) >= Number(first) ? [Number(first), Number(last)] : undefined;
}

/** A comment with the lines of the file as they are now. Throws CommandError for lines that the file does not have. */
export async function commentOnFile(
  { folder }: FolderRecord,
  comment: Omit<ReviewComment, 'code'>,
): Promise<ReviewComment> {
  const text = await readFile(join(folder, comment.path), 'utf8').catch(() => '');
  try {
    return commentOn(text, comment);
  } catch (error) {
    throw new CommandError((error as RangeError).message, exitCodes.usage);
  }
}
