import type { WantedSession } from '@turnwire/gateway';
import { mcpServersOf, settingsOf } from '../driving/session-setup.ts';
import { metaOf } from '../store/session-meta.ts';
import { exitCodes } from '../exit-codes.ts';
import { CommandError } from '../failure.ts';
import type { GlobalOptions } from '../options.ts';

/**
 * What the options say about every session that clients begin: it is added to what they ask for, and counts before it. Rejects with CommandError, exit code 2, if the servers cannot be read.
 */
export async function sessionDefaults(options: GlobalOptions): Promise<(wanted: WantedSession) => WantedSession> {
  const { cwd, addDir, mcpConfig, config, model } = options;
  const servers = await mcpServersOf(mcpConfig ?? config.mcpConfig ?? config.mcpServers, cwd);
  const own = metaOf(settingsOf(options));
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
  ['maxCost', '--max-cost'],
  ['promptRetries', '--prompt-retries'],
  ['ifLost', '--if-lost'],
  ['plain', '--plain'],
  ['suppressReads', '--suppress-reads'],
  ['jsonStrict', '--json-strict'],
] as const satisfies readonly (readonly [keyof GlobalOptions, string])[];

/** Refuses options that would have no effect on the sessions of others. Throws CommandError, exit code 2. */
export function refuseTurnOptions(command: 'serve' | 'proxy', options: GlobalOptions): void {
  const given: string[] = ofTurns.filter(([name]) => options[name] !== undefined).map(([, option]) => option);
  if (options.timeout !== undefined && options.timeout !== options.config.timeout) given.push('--timeout');
  const [first] = given;
  if (first === undefined) return;
  throw new CommandError(
    `turnwire ${command} has no use for ${first}: it is for one turn, and turns are given by clients`,
    exitCodes.usage,
  );
}
