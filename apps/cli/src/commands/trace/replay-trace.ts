import { playTrace } from '@turnwire/trace';
import { readTrace } from '@turnwire/trace/node';
import { serveStdio } from '@turnwire/transports/stdio';
import { exitCodes } from '../../exit-codes.ts';
import { warn } from '../../failure.ts';
import { unreadable } from './unreadable.ts';

/**
 * Replays the agent of a trace on stdin and stdout. Resolves with the exit code when the client closes the connection: 1 if the client
 * differs from the recorded one.
 */
export async function replayTrace(path: string, speed: number | undefined): Promise<number> {
  const trace = await readTrace(path).catch((error: unknown) => {
    throw unreadable(path, error);
  });
  const { mismatches, expected } = await playTrace(trace, serveStdio(), { speed, onMismatch: warn });
  if (expected !== undefined) warn(`the trace expects ${expected} next, which the client did not send`);
  return mismatches.length === 0 ? exitCodes.ok : exitCodes.error;
}
