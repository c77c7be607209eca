import { knownAgentNamed } from '@turnwire/client/known-agents';
import { programPath } from '@turnwire/client/node';
import { fetchAgent } from '../../driving/fetched-agent.ts';
import { exitCodes } from '../../exit-codes.ts';
import { CommandError, warn } from '../../failure.ts';
import type { GlobalOptions } from '../../options.ts';
import { report } from '../report.ts';

/** Downloads a known agent with npx without asking, because the user requested it. Resolves with the exit code. */
export async function getAgent(name: string, options: GlobalOptions): Promise<number> {
  const known = knownAgentNamed(name);
  if (!known) throw new CommandError(`there is no known agent '${name}'. See turnwire agents list`, exitCodes.usage);
  await fetchAgent(known);
  const { package: from, version, needs } = known;
  const searchContext = { cwd: options.cwd, env: process.env as Record<string, string> };
  const isMissing = needs !== undefined && programPath(needs, searchContext) === undefined;
  if (isMissing) warn(`${known.name} also needs ${needs}, which is not installed: install it separately`);
  report(options, { action: 'agent_fetched', name: known.name, package: from, version }, () =>
    options.format === 'quiet' ? known.name : `${known.name} is ${from}@${version}, through npx`,
  );
  return exitCodes.ok;
}
