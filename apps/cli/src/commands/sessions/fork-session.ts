import { errorText } from '@turnwire/client/error-text';
import { forksOf } from '@turnwire/client/extensions';
import { gatewayError } from '@turnwire/gateway';
import type { SessionFork } from '@turnwire/protocol';
import { CommandError } from '../../failure.ts';
import { exitCodes } from '../../exit-codes.ts';
import type { GlobalOptions } from '../../options.ts';
import { connectTo, existingSession } from '../located-session.ts';
import { newSession } from './new-session.ts';

/** The arguments of `sessions fork`. */
export interface ForkArguments {
  readonly source: string | undefined;
  readonly name: string;
  /** The number of last prompts to omit. Default 0. */
  readonly withoutLast?: number | undefined;
}

/** Creates a session with the history of another one, which is unchanged. Resolves with the exit code. */
export async function forkSession(
  { source, name, withoutLast }: ForkArguments,
  options: GlobalOptions,
): Promise<number> {
  await using located = await existingSession(options, source);
  const { record } = located;
  if (name === record.name)
    throw new CommandError(`${name} is the name of the source session: give the fork another name`, exitCodes.usage);
  const { agentSessionId } = await forkAtAgent(located, withoutLast, options);
  return newSession(
    { name, resumeSession: agentSessionId, settings: record.settings },
    { ...options, cwd: record.cwd },
  );
}

async function forkAtAgent(
  located: Awaited<ReturnType<typeof existingSession>>,
  withoutLast: number | undefined,
  options: GlobalOptions,
): Promise<SessionFork> {
  await using host = await connectTo(located, options, { wakes: true });
  const forks = forksOf(host.agent.capabilities);
  if (!forks) throw new CommandError('the agent cannot fork sessions', exitCodes.error);
  if (withoutLast !== undefined && !forks.withoutLast)
    throw new CommandError('the agent forks only whole sessions: leave out --without-last', exitCodes.error);
  try {
    return await host.remote.ask('_turnwire/fork', { _meta: { turnwire: { withoutLast } } });
  } catch (error) {
    throw new CommandError(`the session was not forked: ${errorText(gatewayError(error))}`, exitCodes.error);
  }
}
