import { writeFile } from 'node:fs/promises';
import { redactTrace } from '@turnwire/trace';
import { exitCodes } from '../../exit-codes.ts';
import { CommandError, warn } from '../../failure.ts';
import { readableTrace } from './unreadable.ts';
import { stdout } from '../../terminal/output.ts';

/** The options of `trace redact`. */
export interface RedactOptions {
  readonly secret: readonly string[];
  readonly prompts: boolean;
  /** The new file. Default: stdout, with control characters escaped on a terminal. */
  readonly out?: string | undefined;
}

/** Writes a copy of a trace with more of its content hidden. The file must be new, and only its owner may read it. */
export async function redactTraceFile(path: string, { secret, prompts, out }: RedactOptions): Promise<number> {
  const trace = await readableTrace(path);
  const left = trace.problems.length;
  if (left > 0)
    warn(`${left === 1 ? 'a line that cannot be read is' : `${left} lines that cannot be read are`} left out`);
  const text = `${redactTrace(trace, { secrets: secret, keepPrompts: prompts }).join('\n')}\n`;
  if (out === undefined) stdout.printExactly(text);
  else await writeFile(out, text, { flag: 'wx', mode: 0o600 }).catch((error: unknown) => notWritten(out, error));
  return exitCodes.ok;
}

function notWritten(path: string, error: unknown): never {
  const { code } = error as NodeJS.ErrnoException;
  const why = code === 'EEXIST' ? 'exists: name a new file with --out' : `cannot be written (${code})`;
  throw new CommandError(`${path} ${why}`, exitCodes.error);
}
