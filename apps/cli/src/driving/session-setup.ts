import type { Agent, Session } from '@turnwire/client';
import { readMcpConfig } from '@turnwire/machine';
import { type McpServer, type SessionConfigOption, TurnwireError } from '@turnwire/protocol';
import { exitCodes } from '../exit-codes.ts';
import { CommandError } from '../failure.ts';
import type { GlobalOptions } from '../options.ts';
import type { SessionSettings } from '../store/session-record.ts';

/** The options a session stores. */
export function settingsOf(options: GlobalOptions): SessionSettings {
  const { model, systemPrompt, appendSystemPrompt, allowedTools, maxTurns, addDir, mcpConfig, env, auth } = options;
  const names = env.map((entry) => entry.split('=', 1)[0] as string);
  return {
    ...(model !== undefined && { model }),
    ...(systemPrompt !== undefined && { systemPrompt }),
    ...(appendSystemPrompt !== undefined && { appendSystemPrompt }),
    ...(allowedTools && { allowedTools }),
    ...(maxTurns !== undefined && { maxTurns }),
    ...(addDir.length > 0 && { additionalDirectories: addDir }),
    ...(mcpConfig !== undefined && { mcpConfig }),
    ...(names.length > 0 && { env: names }),
    ...(!options.fs && { withoutFiles: true as const }),
    ...(!options.terminal && { withoutTerminals: true as const }),
    ...(auth !== undefined && { auth }),
  };
}

/** The MCP servers of a file, or of the configuration. Rejects with CommandError, exit code 2, if they cannot be read. */
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

/** The option of a session that chooses the model. */
export function modelOption(options: readonly SessionConfigOption[] | undefined): SessionConfigOption | undefined {
  return options?.find(({ id, category }) => category === 'model' || id === 'model');
}

/** Chooses a model. Rejects if the agent offers no choice, or not this one. */
export async function setModel(session: Session, model: string): Promise<void> {
  const option = modelOption(session.configOptions?.list);
  if (!option || !session.configOptions)
    throw new Error(`the agent offers no choice of models, so --model ${model} cannot be used with it`);
  if (option.currentValue !== model) await session.configOptions.set(option.id, model);
}

/** The value of an option as the agent expects it: booleans are words on a command line. */
export function fittingValue(options: readonly SessionConfigOption[], id: string, value: string): string | boolean {
  const option = options.find((each) => each.id === id);
  if (typeof option?.currentValue !== 'boolean') return value;
  if (value === 'true' || value === 'false') return value === 'true';
  throw new Error(`the option ${id} is either true or false, not ${value}`);
}

/** With `--auth-policy fail` an agent that offers logins is not used without one. Throws with the logins. */
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
