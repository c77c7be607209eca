import { serveReplay } from '@turnwire/transports/trace';
import { serveStdio } from '@turnwire/transports/stdio';
import { exitCodes } from '../../exit-codes.ts';
import { complain } from '../../failure.ts';
import { unreadable } from './unreadable.ts';

/**
 * Is the agent of a trace, on stdin and stdout. Resolves with the exit code when the client has closed it: 1 if the client did something
 * else than the one that was recorded.
 */
export async function replayTrace(path: string, speed: number | undefined): Promise<number> {
  const { mismatches, expected } = await serveReplay(path, serveStdio(), { speed, onMismatch: complain }).catch(
    (error: unknown) => {
      throw unreadable(path, error);
    },
  );
  if (expected !== undefined) complain(`the trace continues with ${expected}, which did not come`);
  return mismatches.length === 0 ? exitCodes.ok : exitCodes.error;
}
