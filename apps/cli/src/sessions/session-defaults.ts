import type { WantedSession } from '@turnwire/gateway';
import { mcpServersOf } from '../driving/session-setup.ts';
import { metaOf } from '../store/session-meta.ts';
import { exitCodes } from '../exit-codes.ts';
import { CommandError } from '../failure.ts';
import type { GlobalOptions } from '../options.ts';

/**
 * Returns a function that adds the options of the command to each session that a client begins. The options take precedence. Rejects with
 * CommandError, exit code 2, if the MCP servers cannot be read.
 */
export async function sessionDefaults(options: GlobalOptions): Promise<(wanted: WantedSession) => WantedSession> {
  const { cwd, addDir, mcpConfig, config, model } = options;
  const servers = await mcpServersOf(mcpConfig ?? config.mcpConfig ?? config.mcpServers, cwd);
  const own = metaOf(options);
  return (wanted) => {
    const named = new Set(servers.map(({ name }) => name));
    const meta = { ...wanted.meta, ...own };
    return {
      ...wanted,
      additionalDirectories: [...new Set([...wanted.additionalDirectories, ...addDir])],
      mcpServers: [...servers, ...wanted.mcpServers.filter(({ name }) => !named.has(name))],
      ...(Object.keys(meta).length > 0 && { meta }),
      ...(model !== undefined && { model }),
    };
  };
}

/** Options of one turn, or of a command that prints one. */
const ofTurns = [
  ['answers', '--answers'],
  ['place', '--place'],
  ['withChanges', '--with-changes'],
  ['maxCost', '--max-cost'],
  ['promptRetries', '--prompt-retries'],
  ['ifLost', '--if-lost'],
  ['plain', '--plain'],
  ['suppressReads', '--suppress-reads'],
  ['jsonStrict', '--json-strict'],
] as const satisfies readonly (readonly [keyof GlobalOptions, string])[];

function isConfigured(name: keyof GlobalOptions, { config, place }: GlobalOptions): boolean {
  return name === 'place' && place?.kind === config.place && place?.name === undefined;
}

/** Throws CommandError, exit code 2, for options without an effect on sessions of clients. */
export function refuseTurnOptions(command: 'serve' | 'proxy', options: GlobalOptions): void {
  const given: string[] = ofTurns
    .filter(([name]) => options[name] !== undefined && !isConfigured(name, options))
    .map(([, option]) => option);
  if (options.timeout !== undefined && options.timeout !== options.config.timeout) given.push('--timeout');
  const [first] = given;
  if (first === undefined) return;
  throw new CommandError(
    `turnwire ${command} has no use for ${first}: it is for one turn, and turns are given by clients`,
    exitCodes.usage,
  );
}
