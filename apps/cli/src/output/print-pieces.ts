import { exitCodes } from '../exit-codes.ts';
import { warn } from '../failure.ts';
import { Stopping } from '../stopping.ts';
import { stdout } from '../terminal/output.ts';
import { OutputDrain } from './output-drain.ts';

/** The minimum number of characters per write. */
const together = 64 * 1024;

/** A long text in batches of small pieces, generated while it is written. */
export type Pieces = AsyncIterable<readonly string[]>;

/**
 * Prints a long text at the speed of its reader until it ends, the reader closes the pipe, or the user presses Ctrl-C. Resolves with the
 * exit code.
 */
export async function printPieces(pieces: Pieces, timeout: number | undefined): Promise<number> {
  using stopping = new Stopping(timeout);
  const drain = new OutputDrain(stdout, stopping.signal);
  for await (const text of joined(pieces)) {
    stdout.print(text);
    await drain.wait();
    if (stopping.reason) break;
  }
  if (stopping.reason?.message !== undefined) warn(stopping.reason.message);
  return stopping.reason?.exitCode ?? exitCodes.ok;
}

/** Joins pieces into texts that are large enough for a write. */
export async function* joined(pieces: Pieces): AsyncGenerator<string, void> {
  let waiting: string[] = [];
  let size = 0;
  for await (const batch of pieces)
    for (const piece of batch) {
      waiting.push(piece);
      size += piece.length;
      if (size < together) continue;
      yield waiting.join('');
      waiting = [];
      size = 0;
    }
  yield waiting.join('');
}
