import type { AgentSubject } from '@turnwire/conformance';
import { exitCodes } from '../../exit-codes.ts';
import { complain } from '../../failure.ts';
import { type Stop, Stopping } from '../../stopping.ts';
import { StartedLines } from './started-lines.ts';
import { stdout } from '../../terminal/output.ts';

/** What a check works with while it may be stopped. */
export interface Stoppable {
  readonly signal: AbortSignal;
  /** The subject, so that what it starts ends with us. */
  readonly watched: (subject: AgentSubject) => AgentSubject;
}

/**
 * Does something that Ctrl-C stops. Resolves with its exit code, or with that of the stop.
 * @param tell what was found until then; asked only if the work was stopped before its end
 */
export async function untilStopped(
  work: (stoppable: Stoppable) => Promise<number>,
  tell: () => Promise<void>,
): Promise<number> {
  using stopping = new Stopping(undefined);
  using started = new StartedLines();
  stopping.signal.addEventListener('abort', () => void started.end());
  const code = await work({ signal: stopping.signal, watched: (subject) => started.watched(subject) }).catch(
    async (error: unknown) => {
      if (!stopping.reason) throw error;
      await tell();
      return undefined;
    },
  );
  // Only then is known that a disk is full.
  await stdout.flushed();
  const { reason } = stopping;
  if (reason === undefined || (code !== undefined && isReaderGone(reason))) return code ?? exitCodes.error;
  if (reason.message !== undefined) complain(reason.message);
  return reason.exitCode;
}

/** Whoever read the beginning of a report and left changes nothing about it. */
function isReaderGone({ exitCode, message }: Stop): boolean {
  return exitCode === exitCodes.error && message === undefined;
}
