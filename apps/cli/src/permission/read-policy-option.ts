import { readPolicy } from '@turnwire/permissions';
import { exitCodes } from '../exit-codes.ts';
import { CommandError } from '../failure.ts';
import { jsonOf } from '../read-json-option.ts';

/** The policy of `--policy`: JSON, or a file with it. Throws CommandError, exit code 2, if it cannot be used. */
export function readPolicyOption(given: string): object {
  const policy = jsonOf('--policy', given);
  try {
    readPolicy(policy);
    return policy as object;
  } catch (error) {
    throw new CommandError((error as Error).message, exitCodes.usage);
  }
}
