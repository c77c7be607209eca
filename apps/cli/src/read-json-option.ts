import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { exitCodes } from './exit-codes.ts';
import { CommandError } from './failure.ts';

/** The JSON text of an option that takes a file or JSON. */
function jsonTextOf(given: string): string {
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

/** The value of an option that takes a file or JSON. Throws CommandError, exit code 2, if the file cannot be read or is not JSON. */
export function jsonOf(option: string, given: string): unknown {
  try {
    return JSON.parse(jsonTextOf(given)) as unknown;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const what = given.trimStart().startsWith('{') ? `the text after ${option}` : resolve(given);
    throw new CommandError(
      `${what} is not valid JSON (${error.message}). Correct it, or name a file.`,
      exitCodes.usage,
    );
  }
}
