import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FolderRecord, ReviewComment } from '@turnwire/machine/folder-record';
import { exitCodes } from '../exit-codes.ts';
import { CommandError } from '../failure.ts';

/** `42` or `42-48`. Undefined for anything else. */
export function linesNamed(text: string): readonly [number, number] | undefined {
  const [, first, last = first] = /^(\d+)(?:-(\d+))?$/.exec(text.trim()) ?? [];
  return Number(first) >= 1 && Number(last) >= Number(first) ? [Number(first), Number(last)] : undefined;
}

/** A comment with the lines of the file as they are now. Throws CommandError for lines that the file does not have. */
export async function commentOn(
  record: FolderRecord,
  { path, lines, text }: Omit<ReviewComment, 'code'>,
): Promise<ReviewComment> {
  if (!lines) return { path, text };
  const all = (await readFile(join(record.folder, path), 'utf8').catch(() => '')).split(/\r?\n/);
  const [first, last] = lines;
  if (last > all.length) throw new CommandError(`${path} has ${all.length} lines`, exitCodes.usage);
  return { path, lines, code: all.slice(first - 1, last).join('\n'), text };
}
