import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Transport } from '@turnwire/protocol';
import type { RemoteEndpoint } from '../remote/endpoint.ts';
import type { Line } from '../wire/line.ts';
import { ownHome } from '../wire/own-home.ts';
import { startProcessLine } from '../wire/process-line.ts';
import { transportLine } from '../wire/transport-line.ts';

/** An agent to judge: opens fresh connections to it. */
export interface AgentSubject {
  /** For reports: the command, or another identification. */
  readonly name: string;
  /** Where it is reached, if it is on another machine: the rules of its transport are then judged as well. */
  readonly endpoint?: RemoteEndpoint | undefined;
  /** An existing folder for the folders of sessions, for an agent that works only there. Default: the temporary folder. */
  readonly sessionsIn?: string | undefined;
  /**
   * Opens a connection to a fresh instance. `cwd` is the working directory of a process, not the folder of a session; `home` an empty folder
   * to be at home in, for those that can be: without, it is at home where it always is. Rejects if it cannot be started.
   */
  open(place: { readonly cwd: string; readonly home?: string | undefined }): Promise<Line>;
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
  // What npx has fetched is found again.
  const cache = env['npm_config_cache'] ?? join(env['HOME'] ?? homedir(), '.npm');
  return {
    name: words.join(' '),
    open: ({ cwd, home }) =>
      startProcessLine({
        words,
        cwd,
        env: home === undefined ? env : { ...env, ...ownHome(home), npm_config_cache: cache },
      }),
  };
}

/**
 * An agent that is reached over a network: the rules of its transport are judged as well. There is no process, and what is asked of processes
 * is not exercised.
 * @param connect opens a connection to it
 * @param places where its sessions may work, if it does not work everywhere
 */
export function remoteSubject(
  endpoint: RemoteEndpoint,
  connect: () => Transport,
  places: Pick<AgentSubject, 'sessionsIn'> = {},
): AgentSubject {
  const open = (): Promise<Line> => Promise.resolve(transportLine(connect(), { readsFrames: true }));
  return { ...places, name: endpoint.url, endpoint, open };
}
