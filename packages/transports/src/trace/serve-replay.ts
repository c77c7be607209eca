import type { Transport } from '@turnwire/protocol';
import { playTrace, type ReplayEnd, type ReplayOptions } from './replay-agent.ts';
import { readTrace } from './read-trace.ts';

/**
 * Serves the agent of a trace file on a wire, as {@link replayAgent} does in memory. Resolves when it is over.
 * @throws TurnwireError `invalid-input` if the file is not a trace; the errors of the file system as they are
 */
export async function serveReplay(path: string, transport: Transport, options: ReplayOptions = {}): Promise<ReplayEnd> {
  return playTrace(await readTrace(path), transport, options);
}
