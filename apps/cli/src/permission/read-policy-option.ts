import { readPolicy } from '@turnwire/permissions';
import { exitCodes } from '../exit-codes.ts';
import { CommandError } from '../failure.ts';
import { jsonTextOf } from '../read-json-option.ts';

/** The policy of `--policy`: JSON, or a file with it. Throws CommandError, exit code 2, if it cannot be used. */
export function readPolicyOption(given: string): object {
  const text = jsonTextOf(given);
  try {
    readPolicy(text);
    return JSON.parse(text) as object;
  } catch (error) {
    throw new CommandError((error as Error).message, exitCodes.usage);
  }
}
