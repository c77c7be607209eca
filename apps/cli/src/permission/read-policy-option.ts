import { readPolicy } from '@turnwire/permissions';
import { exitCodes } from '../exit-codes.ts';
import { CommandError } from '../failure.ts';
import { jsonOf } from '../read-json-option.ts';

/** Reads the policy of `--policy`: JSON, or a file with it. Throws CommandError, exit code 2, if it is invalid. */
export function readPolicyOption(given: string): object {
  const policy = jsonOf('--policy', given);
  try {
    readPolicy(policy);
    return policy as object;
  } catch (error) {
    throw new CommandError((error as Error).message, exitCodes.usage);
  }
}
