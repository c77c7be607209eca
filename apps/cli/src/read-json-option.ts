import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { exitCodes } from './exit-codes.ts';
import { CommandError } from './failure.ts';

/** The JSON text of an option that takes a file or JSON. Throws CommandError, exit code 2, if the file cannot be read. */
export function jsonTextOf(given: string): string {
  if (given.trimStart().startsWith('{')) return given;
  try {
    return readFileSync(given, 'utf8').replace(/^\ufeff/, '');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reason = code === 'ENOENT' ? 'there is no such file' : `the system says ${code}`;
    // The wording of --mcp-config.
    throw new CommandError(`${resolve(given)}: cannot be read: ${reason}.`, exitCodes.usage);
  }
}
