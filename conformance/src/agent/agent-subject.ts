import type { Line } from '../wire/line.ts';
import { startProcessLine } from '../wire/process-line.ts';

/** An agent that is judged: a way to open fresh connections to it. */
export interface AgentSubject {
  /** For reports: the command, or what else people know it by. */
  readonly name: string;
  /** Opens a connection to a fresh instance. `cwd` is where a process is started: not the folder of a session. Rejects if it cannot be started. */
  open(place: { readonly cwd: string }): Promise<Line>;
}

/**
 * An agent that is started as a process and speaks over stdin and stdout.
 * @param words the program and its arguments; no shell reads them
 * @param env all variables it gets. Default: our own.
 */
export function commandSubject(
  words: readonly string[],
  env: Readonly<Record<string, string | undefined>> = process.env,
): AgentSubject {
  return { name: words.join(' '), open: ({ cwd }) => startProcessLine({ words, cwd, env }) };
}
