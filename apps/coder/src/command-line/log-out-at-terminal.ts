import { TurnwireError } from '@turnwire/protocol';
import type { Environment } from '../config/environment.ts';
import { keyProvider, keyProviders } from '../auth/key-providers.ts';
import { logOut } from '../auth/log-out.ts';

/** Forgets stored keys and tells on stderr which. @returns the exit code: 0 done, 1 not, 2 asked in the wrong way */
export async function logOutAtTerminal(provider: string | undefined, env: Environment = process.env): Promise<number> {
  if (provider !== undefined && !keyProvider(provider)) {
    const names = keyProviders.map(({ id }) => id).join(', ');
    process.stderr.write(`There is no login for ${JSON.stringify(provider)}, only for ${names}.\n`);
    return 2;
  }
  try {
    const { providers, variables } = await logOut(env, provider);
    process.stderr.write(
      providers.length === 0 ? 'There was no key stored.\n' : `Forgotten: the key of ${providers.join(', ')}.\n`,
    );
    if (variables.length > 0) process.stderr.write(`Still set in the environment: ${variables.join(', ')}.\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof TurnwireError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 1;
  }
}
