import type { ChildProcess } from 'node:child_process';
import { soon, within } from '../waits/index.ts';

/** The exit code or signal of a process: one of the two is null. */
export interface ProcessExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/**
 * Waits for the exit of a process, then for the end of its output: at most `timeout` milliseconds, in case another process keeps the output open. All
 * output of the process itself has then been read. Call it right after the start; it never settles for a process that could not be started.
 */
export async function endOf(child: ChildProcess, timeout: number): Promise<ProcessExit> {
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const exit = await new Promise<ProcessExit>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  await within(timeout, closed);
  await pipesRead();
  return exit;
}

/**
 * Resolves when everything in the pipes at the time of the call has been read. After a delay of this process, a timer of any length fires before the
 * event loop reads the pipes, so wait for this before giving up on an output.
 */
export function pipesRead(): Promise<void> {
  // The event loop reads between timers and `setImmediate`.
  return new Promise(soon);
}
