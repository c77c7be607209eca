import { readFileSync } from 'node:fs';
import { readPolicy } from '@agentwire/client/permissions';
import { exitCodes } from '../exit-codes.ts';
import { CommandError } from '../failure.ts';

/** The policy of `--policy`: JSON, or a file with it. Throws CommandError, exit code 2, if it cannot be used. */
export function readPolicyOption(given: string): object {
  const text = given.trimStart().startsWith('{') ? given : textOf(given);
  try {
    readPolicy(text);
    return JSON.parse(text) as object;
  } catch (error) {
    throw new CommandError((error as Error).message, exitCodes.usage);
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new CommandError(
      `the permission policy ${path} cannot be read (${(error as NodeJS.ErrnoException).code})`,
      exitCodes.usage,
    );
  }
}
