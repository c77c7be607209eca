import type { Line } from '../wire/line.ts';
import { Stopped } from '../wire/stopped.ts';
import type { AgentSubject } from './agent-subject.ts';

/** An agent whose connections can all be ended at once. */
export interface GuardedSubject extends AgentSubject, AsyncDisposable {}

/**
 * The same agent; when the signal is aborted, and when this is disposed of, every connection that is still open is ended and no other is
 * opened. An agent that cannot be started stops the scenario, and is not a harness error.
 */
export function guardedSubject(subject: AgentSubject, signal: AbortSignal | undefined): GuardedSubject {
  const lines = new Set<Line>();
  const endAll = async (): Promise<void> => void (await Promise.all([...lines].map((line) => line.close())));
  const onAbort = (): void => void endAll();
  signal?.addEventListener('abort', onAbort);
  return {
    name: subject.name,
    endpoint: subject.endpoint,
    open: async (place) => {
      refuseIfAborted(signal);
      const line = await opened(subject, place);
      lines.add(line);
      // It was opened while everything was being ended.
      if (isAborted(signal)) await line.close();
      refuseIfAborted(signal);
      return forgetting(line, lines);
    },
    [Symbol.asyncDispose]: async () => {
      signal?.removeEventListener('abort', onAbort);
      await endAll();
    },
  };
}

function refuseIfAborted(signal: AbortSignal | undefined): void {
  if (isAborted(signal)) throw new Stopped('the check was interrupted');
}

function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}

async function opened(subject: AgentSubject, place: Parameters<AgentSubject['open']>[0]): Promise<Line> {
  try {
    return await subject.open(place);
  } catch (error) {
    throw new Stopped(`it cannot be started: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** A line that is unregistered once it is closed. */
function forgetting(line: Line, lines: Set<Line>): Line {
  return {
    ...line,
    close: async () => {
      await line.close();
      lines.delete(line);
    },
  };
}
