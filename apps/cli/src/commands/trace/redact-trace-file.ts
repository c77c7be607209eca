import { writeFile } from 'node:fs/promises';
import { redactTrace } from '@agentwire/transports/trace';
import { exitCodes } from '../../exit-codes.ts';
import { readableTrace } from './unreadable.ts';

/** What to hide, and where to write. */
export interface RedactOptions {
  readonly secret: readonly string[];
  readonly prompts: boolean;
  /** Default: stdout. */
  readonly out?: string | undefined;
}

/** Writes a trace once more, with more of it hidden. A file must be new, and only its owner may read it. */
export async function redactTraceFile(path: string, { secret, prompts, out }: RedactOptions): Promise<number> {
  const trace = await readableTrace(path);
  const text = `${redactTrace(trace, { secrets: secret, keepPrompts: prompts }).join('\n')}\n`;
  if (out === undefined) process.stdout.write(text);
  else await writeFile(out, text, { flag: 'wx', mode: 0o600 });
  return exitCodes.ok;
}
