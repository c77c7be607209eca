import type { Line } from '../wire/line.ts';
import { Stopped } from '../wire/stopped.ts';
import type { AgentSubject } from './agent-subject.ts';

export interface GuardedSubject extends AgentSubject, AsyncDisposable {}

/**
 * Wraps an agent so that an aborted signal, or disposal, closes all its open connections and prevents new ones. An agent that cannot be
 * started stops the scenario and does not count as a harness error.
 */
export function guardedSubject(subject: AgentSubject, signal: AbortSignal | undefined): GuardedSubject {
  const lines = new Set<Line>();
  const endAll = async (): Promise<void> => void (await Promise.all([...lines].map((line) => line.close())));
  const onAbort = (): void => void endAll();
  const refuseIfAborted = (): void => {
    if (signal?.aborted === true) throw new Stopped('the check was interrupted');
  };
  signal?.addEventListener('abort', onAbort);
  return {
    name: subject.name,
    endpoint: subject.endpoint,
    sessionsIn: subject.sessionsIn,
    open: async (options) => {
      refuseIfAborted();
      const line = await subject.open(options).catch((error: unknown) => {
        throw new Stopped(`the agent cannot be started: ${error instanceof Error ? error.message : String(error)}`);
      });
      lines.add(line);
      // The signal may have aborted while the connection opened.
      if (signal?.aborted === true) await line.close();
      refuseIfAborted();
      const close = async (): Promise<void> => {
        await line.close();
        lines.delete(line);
      };
      return { ...line, close };
    },
    [Symbol.asyncDispose]: async () => {
      signal?.removeEventListener('abort', onAbort);
      await endAll();
    },
  };
}
