import type { StatsBase } from 'node:fs';
import { codeOf, kindOf, MovedError, systemReason } from '@turnwire/machine';
import { ToolError } from '../tools/tool-error.ts';

/** What was to be done with a file. */
export type FileAction = 'reached' | 'read' | 'written';

/** What an error of the file system means, in words that name the file as it was asked for. Whatever else it is stays what it is. */
export function fileFailure(error: unknown, shown: string, action: FileAction): Error {
  if (error instanceof MovedError)
    return new ToolError(`${shown} was moved or replaced in the meantime; nothing was done. Try again.`);
  const code = codeOf(error);
  if (code === undefined) return error instanceof Error ? error : new Error(String(error));
  const unharmed = action === 'written' ? ' Nothing was written; what was there is unchanged.' : '';
  return new ToolError(`${shown} cannot be ${action}: ${systemReason(code)}${unharmed}`);
}

/** It is a folder, or what reading could block on or set in motion. */
export function notRegular(shown: string, stats: StatsBase<bigint>): ToolError {
  return new ToolError(`${shown} is ${kindOf(stats)}, not a ${stats.isDirectory() ? '' : 'regular '}file.`);
}
