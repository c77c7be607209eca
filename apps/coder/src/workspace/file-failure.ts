import type { StatsBase } from 'node:fs';
import { codeOf, kindOf, MovedError, systemReason } from '@turnwire/machine';
import { ToolError } from '../tool-error.ts';

/** The action on a file. */
export type FileAction = 'reached' | 'read' | 'written';

/** Describes an error of the file system in words that name the file as requested. Other errors stay unchanged. */
export function fileFailure(error: unknown, shown: string, action: FileAction): Error {
  if (error instanceof MovedError)
    return new ToolError(`${shown} was moved or replaced in the meantime; nothing was done. Try again.`);
  const code = codeOf(error);
  if (code === undefined) return error instanceof Error ? error : new Error(String(error));
  const unharmed = action === 'written' ? ' Nothing was written; the file is unchanged.' : '';
  return new ToolError(`${shown} cannot be ${action}: ${systemReason(code)}${unharmed}`);
}

/** The path is a folder, or an entry that could block or trigger something when it is read. */
export function notRegular(shown: string, stats: StatsBase<bigint>): ToolError {
  return new ToolError(`${shown} is ${kindOf(stats)}, not a ${stats.isDirectory() ? '' : 'regular '}file.`);
}
