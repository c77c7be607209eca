import type { Environment } from '../config/environment.ts';
import { readSettings } from '../config/settings.ts';
import { providerAccess } from '../model/providers/provider-access.ts';
import { providers } from '../model/providers/providers.ts';

/** The address of a provider and the headers from its settings. Undefined without an address. */
export async function providerAddress(
  id: string,
  env: Environment,
): Promise<{ readonly baseUrl: string; readonly headers: Readonly<Record<string, string>> } | undefined> {
  const provider = providers.find((each) => each.id === id);
  const settings = await readSettings({ cwd: process.cwd(), env, options: {} });
  return provider && providerAccess(provider, { env, stored: { keys: {} }, providers: settings.providers });
}
