import type { ChildProcess } from 'node:child_process';
import { soon, within } from '../waits/index.ts';

/** How a process ended: one of the two is null. */
export interface ProcessExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/**
 * Waits for the exit of a process, then for the end of its output: at most `patience` milliseconds, should another process hold it open.
 * What the process itself wrote has been read by then. Call it at the start; it never settles for a process that could not be started.
 */
export async function endOf(child: ChildProcess, patience: number): Promise<ProcessExit> {
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const exit = await new Promise<ProcessExit>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  await within(patience, closed);
  await pipesRead();
  return exit;
}

/**
 * Resolves when all that is in pipes now has been read. If this process was held up, a timer runs out before the event loop gets to look at
 * its pipes, however long the timer; so whoever gives up on an output waits for this too.
 */
export function pipesRead(): Promise<void> {
  // The event loop reads between timers and what is due soon.
  return new Promise(soon);
}
