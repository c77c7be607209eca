import type { AgentSubject } from '@turnwire/conformance';
import { exitCodes } from '../../exit-codes.ts';
import { warn } from '../../failure.ts';
import { type Stop, Stopping } from '../../stopping.ts';
import { stdout } from '../../terminal/output.ts';

/** The context of stoppable work. */
export interface Stoppable {
  readonly signal: AbortSignal;
  /** Tracks the processes of the subject, so that they end with us. */
  readonly watched: (subject: AgentSubject) => AgentSubject;
}

/**
 * Runs work that Ctrl-C stops. Resolves with the exit code of the work or of the stop.
 * @param report prints the findings so far; called only if the work was stopped before its end
 */
export async function untilStopped(
  work: (stoppable: Stoppable) => Promise<number>,
  report: () => Promise<void>,
): Promise<number> {
  using stopping = new Stopping(undefined);
  const started = new StartedLines();
  stopping.signal.addEventListener('abort', () => void started.end());
  const code = await work({ signal: stopping.signal, watched: (subject) => started.watched(subject) }).catch(
    async (error: unknown) => {
      if (!stopping.reason) throw error;
      await report();
      return undefined;
    },
  );
  // A full disk is reported only when the output is flushed.
  await stdout.flushed();
  const { reason } = stopping;
  if (reason === undefined || (code !== undefined && isReaderGone(reason))) return code ?? exitCodes.error;
  if (reason.message !== undefined) warn(reason.message);
  return reason.exitCode;
}

/** A reader that closes the pipe early does not change the result. */
function isReaderGone({ exitCode, message }: Stop): boolean {
  return exitCode === exitCodes.error && message === undefined;
}

type Line = Awaited<ReturnType<AgentSubject['open']>>;

/** The running processes of a subject. */
class StartedLines {
  readonly #lines = new Set<Line>();

  /** The subject, with its processes tracked. */
  watched(subject: AgentSubject): AgentSubject {
    return {
      ...subject,
      open: async (context) => {
        const line = await subject.open(context);
        this.#lines.add(line);
        const close = async (): Promise<void> => {
          await line.close();
          this.#lines.delete(line);
        };
        return { ...line, close };
      },
    };
  }

  /** Ends all processes. */
  async end(): Promise<void> {
    await Promise.all([...this.#lines].map((line) => line.close()));
  }
}
