import type { Trace } from '@turnwire/trace';
import { readTrace } from '@turnwire/trace/node';
import { exitCodes } from '../../exit-codes.ts';
import { CommandError } from '../../failure.ts';

/** An error that explains why a file cannot be read. */
export function unreadable(path: string, error: unknown, exitCode: number = exitCodes.error): CommandError {
  const { code, message } = error as NodeJS.ErrnoException;
  const isSystem = error instanceof Error && 'syscall' in error;
  const why = code === 'ENOENT' ? 'there is no such file' : code === 'EISDIR' ? 'it is a folder' : message;
  return new CommandError(isSystem ? `${path} cannot be read: ${why}` : message, exitCode);
}

/** Reads a trace. Rejects with the error of {@link unreadable}. */
export async function readableTrace(path: string, exitCode?: number): Promise<Trace> {
  return readTrace(path).catch((error: unknown) => {
    throw unreadable(path, error, exitCode);
  });
}
