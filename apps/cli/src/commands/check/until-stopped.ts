import type { AgentSubject } from '@agentwire/conformance';
import { complain } from '../../failure.ts';
import { Stopping } from '../../stopping.ts';
import { StartedLines } from './started-lines.ts';

/** What a check works with while it may be stopped. */
export interface Stoppable {
  readonly signal: AbortSignal;
  /** The subject, so that what it starts ends with us. */
  readonly watched: (subject: AgentSubject) => AgentSubject;
}

/** Does something that Ctrl-C stops. Resolves with its exit code, or with that of the stop. */
export async function untilStopped(work: (stoppable: Stoppable) => Promise<number>): Promise<number> {
  using stopping = new Stopping(undefined);
  using started = new StartedLines();
  stopping.signal.addEventListener('abort', () => void started.end());
  try {
    return await work({ signal: stopping.signal, watched: (subject) => started.watched(subject) });
  } catch (error) {
    if (!stopping.reason) throw error;
    if (stopping.reason.message !== undefined) complain(stopping.reason.message);
    return stopping.reason.exitCode;
  }
}
