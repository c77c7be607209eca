import { describeTrace, readTrace } from '@agentwire/transports/trace';
import { exitCodes } from '../../exit-codes.ts';
import { CommandError } from '../../failure.ts';
import type { GlobalOptions } from '../../options.ts';
import { cleanJson, cleanText } from '../../terminal/clean-text.ts';
import { type TraceFilter, wantedEvents } from './trace-filter.ts';

/** Prints a trace, a line for each of its lines. Resolves with the exit code. */
export async function showTrace(path: string, filter: TraceFilter, { format }: GlobalOptions): Promise<number> {
  const trace = await readTrace(path).catch((error: unknown) => {
    throw unreadable(path, error);
  });
  const wanted = wantedEvents(trace.events, filter);
  // All of them are described, for how long an answer took is known by its request.
  const lines = describeTrace(trace);
  const isFiltered = Object.values(filter).some((each) => each !== undefined);
  for (const [index, line] of lines.entries()) {
    const event = trace.events[index];
    if (event === undefined ? isFiltered || format === 'json' : !wanted.has(event)) continue;
    process.stdout.write(`${format === 'json' ? cleanJson(JSON.stringify(event)) : cleanText(line)}\n`);
  }
  return exitCodes.ok;
}

/** What went wrong with a file, in words. */
export function unreadable(path: string, error: unknown): CommandError {
  const { code, message } = error as NodeJS.ErrnoException;
  const isSystem = error instanceof Error && 'syscall' in error;
  const why = code === 'ENOENT' ? 'there is no such file' : code === 'EISDIR' ? 'it is a folder' : message;
  return new CommandError(isSystem ? `${path} cannot be read: ${why}` : message, exitCodes.error);
}
