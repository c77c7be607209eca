import type { McpServerStdio } from '@turnwire/protocol';
import { DEFAULT_INHERITED_ENV_VARS } from '@modelcontextprotocol/client/stdio';

const further: readonly string[] = ['LANG', 'LC_ALL', 'TMPDIR', 'TZ'];

/**
 * The variables a server is started with: what any program needs of the environment, as the library for MCP has it, and language and temporary
 * folder; then what its configuration says. Keys of model providers and the like stay here.
 */
export function serverEnvironment(
  { env }: McpServerStdio,
  own: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const inherited = [...DEFAULT_INHERITED_ENV_VARS, ...further].flatMap((name) => {
    const value = own[name];
    // Functions of a shell travel as variables too.
    return value === undefined || value.startsWith('()') ? [] : [[name, value] as const];
  });
  return Object.fromEntries([...inherited, ...env.map(({ name, value }) => [name, value] as const)]);
}
