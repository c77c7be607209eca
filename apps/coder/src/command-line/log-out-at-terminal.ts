import { TurnwireError } from '@turnwire/protocol';
import type { Environment } from '../config/environment.ts';
import { keyProvider, keyProviders } from '../keys/key-providers.ts';
import { logOut } from '../auth/log-out.ts';
import { printToStderr } from '../printing.ts';

/** Deletes stored keys and prints which to stderr. @returns the exit code: 0 done, 1 failed, 2 wrong usage */
export async function logOutAtTerminal(provider: string | undefined, env: Environment = process.env): Promise<number> {
  if (provider !== undefined && !keyProvider(provider)) {
    const names = keyProviders.map(({ id }) => id).join(', ');
    printToStderr(`There is no login for ${JSON.stringify(provider)}, only for ${names}.`);
    return 2;
  }
  try {
    const { providers, variables } = await logOut(env, provider);
    printToStderr(providers.length === 0 ? 'There is no stored key.' : `Deleted: the key of ${providers.join(', ')}.`);
    if (variables.length > 0) printToStderr(`Still set in the environment: ${variables.join(', ')}.`);
    return 0;
  } catch (error) {
    if (!(error instanceof TurnwireError)) throw error;
    printToStderr(error.message);
    return 1;
  }
}
