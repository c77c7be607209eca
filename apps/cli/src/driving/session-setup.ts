import type { Agent } from '@turnwire/client';
import { readMcpConfig } from '@turnwire/machine';
import { type McpServer, TurnwireError } from '@turnwire/protocol';
import { exitCodes } from '../exit-codes.ts';
import { CommandError } from '../failure.ts';
import type { GlobalOptions } from '../options.ts';
import type { SessionSettings } from '../store/session-record.ts';

/** The options that a session stores. */
export function settingsOf(options: GlobalOptions): SessionSettings {
  const { model, systemPrompt, appendSystemPrompt, allowedTools, maxTurns, addDir, mcpConfig, env } = options;
  const { auth, protocol } = options;
  const asGiven = { model, systemPrompt, appendSystemPrompt, allowedTools, maxTurns, mcpConfig, auth, protocol };
  const names = env.map((entry) => entry.split('=', 1)[0] as string);
  return {
    ...Object.fromEntries(Object.entries(asGiven).filter(([, value]) => value !== undefined)),
    ...(addDir.length > 0 && { additionalDirectories: addDir }),
    ...(names.length > 0 && { env: names }),
    ...(!options.fs && { withoutFiles: true as const }),
    ...(!options.terminal && { withoutTerminals: true as const }),
  };
}

/** Reads the MCP servers of a file, or of the configuration. Rejects with CommandError, exit code 2, if they cannot be read. */
export async function mcpServersOf(source: string | object | undefined, cwd: string): Promise<readonly McpServer[]> {
  if (source === undefined) return [];
  try {
    return await readMcpConfig(typeof source === 'string' ? source : { mcpServers: source }, {
      environment: process.env,
      cwd,
    });
  } catch (error) {
    throw new CommandError((error as Error).message, exitCodes.usage);
  }
}

/** Throws with the logins of an agent if `--auth-policy fail` requires one, and `--auth` names none. */
export function refuseUnknownLogin(
  { authMethods }: Agent,
  { auth, authPolicy }: { readonly auth: string | undefined; readonly authPolicy: string },
): void {
  if (authPolicy !== 'fail' || auth !== undefined || authMethods.length === 0) return;
  const ways = authMethods.map(({ id, name }) => `${id} (${name})`).join(', ');
  throw new TurnwireError(
    'invalid-input',
    `the agent offers logins and --auth-policy is fail. Name one with --auth: ${ways}`,
  );
}
