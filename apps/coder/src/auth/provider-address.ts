import type { Environment } from '../config/environment.ts';
import { readSettings } from '../config/settings.ts';
import { providerAccess } from '../model/providers/provider-access.ts';
import { providers } from '../model/providers/providers.ts';

/** Where a provider is, with the headers that its settings add. Undefined if it has no address. */
export async function providerAddress(
  id: string,
  env: Environment,
): Promise<{ readonly baseUrl: string; readonly headers: Readonly<Record<string, string>> } | undefined> {
  const provider = providers.find((each) => each.id === id);
  const settings = await readSettings({ cwd: process.cwd(), env, options: {} });
  return provider && providerAccess(provider, { env, stored: { keys: {} }, providers: settings.providers });
}
