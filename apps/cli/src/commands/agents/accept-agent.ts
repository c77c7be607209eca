import { acceptAgent } from '../../driving/agent-consent.ts';
import { describeAgent } from '../../config/agent-proposal.ts';
import { exitCodes } from '../../exit-codes.ts';
import { CommandError, warn } from '../../failure.ts';
import type { GlobalOptions } from '../../options.ts';
import { cleanText } from '../../terminal/clean-text.ts';
import { report } from '../report.ts';

/** Agrees to the named agents of the project, or to all that wait for consent, in their current form. Resolves with the exit code. */
export async function acceptAgents(names: readonly string[], options: GlobalOptions): Promise<number> {
  const { proposals, config } = options;
  const missing = names.find((name) => !proposals.has(name) && !Object.hasOwn(config.agents ?? {}, name));
  if (missing !== undefined)
    throw new CommandError(
      `the project has no agent '${missing}'; nothing was accepted. See turnwire agents list`,
      exitCodes.error,
    );
  const waiting = [...proposals.values()].filter(({ name }) => names.length === 0 || names.includes(name));
  for (const proposal of waiting) {
    await acceptAgent(proposal);
    const { name, file, entry } = proposal;
    report(options, { action: 'agent_accepted', name, file }, () =>
      options.format === 'quiet' ? undefined : `${name} of ${file} may be started: ${cleanText(describeAgent(entry))}`,
    );
  }
  if (waiting.length === 0 && options.format === 'text') warn('no agent of this project is waiting for acceptance');
  return exitCodes.ok;
}
