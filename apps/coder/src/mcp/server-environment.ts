import type { McpServerStdio } from '@turnwire/protocol';
import { DEFAULT_INHERITED_ENV_VARS } from '@modelcontextprotocol/client/stdio';

const further: readonly string[] = ['LANG', 'LC_ALL', 'TMPDIR', 'TZ'];

/**
 * The variables a server is started with: what any program needs, according to the MCP library, plus language and temporary
 * folder; then those of its configuration. Keys of model providers and other variables are not inherited.
 */
export function serverEnvironment(
  { env }: McpServerStdio,
  own: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const inherited = [...DEFAULT_INHERITED_ENV_VARS, ...further].flatMap((name) => {
    const value = own[name];
    // Exported shell functions are variables as well.
    return value === undefined || value.startsWith('()') ? [] : [[name, value] as const];
  });
  return Object.fromEntries([...inherited, ...env.map(({ name, value }) => [name, value] as const)]);
}
