import type { Transport } from '@turnwire/protocol';
import type { RemoteEndpoint } from '../remote/endpoint.ts';
import type { Line } from '../wire/line.ts';
import { startProcessLine } from '../wire/process-line.ts';
import { transportLine } from '../wire/transport-line.ts';

/** An agent to judge: opens fresh connections to it. */
export interface AgentSubject {
  /** For reports: the command, or another identification. */
  readonly name: string;
  /** Where it is reached, if it is on another machine: the rules of its transport are then judged as well. */
  readonly endpoint?: RemoteEndpoint | undefined;
  /**
   * Opens a connection to a fresh instance. `cwd` is the working directory of a process, not the folder of a session. Rejects if it cannot
   * be started.
   */
  open(place: { readonly cwd: string }): Promise<Line>;
}

/**
 * An agent that is started as a process and talks over stdin and stdout.
 * @param words the program and its arguments; no shell parses them
 * @param env its complete environment. Default: our own.
 */
export function commandSubject(
  words: readonly string[],
  env: Readonly<Record<string, string | undefined>> = process.env,
): AgentSubject {
  return { name: words.join(' '), open: ({ cwd }) => startProcessLine({ words, cwd, env }) };
}

/**
 * An agent that is reached over a network: the rules of its transport are judged as well. There is no process, and what is asked of processes
 * is not exercised.
 * @param connect opens a connection to it
 */
export function remoteSubject(endpoint: RemoteEndpoint, connect: () => Transport): AgentSubject {
  const open = (): Promise<Line> => Promise.resolve(transportLine(connect(), { readsFrames: true }));
  return { name: endpoint.url, endpoint, open };
}
