import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Transport } from '@turnwire/protocol';
import type { RemoteEndpoint } from '../remote/endpoint.ts';
import type { Line } from '../wire/line.ts';
import { ownHome } from '../wire/own-home.ts';
import { startProcessLine } from '../wire/process-line.ts';
import { transportLine } from '../wire/transport-line.ts';

/** An agent to judge. Opens a fresh connection for each scenario. */
export interface AgentSubject {
  /** Name in reports: the command, or the URL. */
  readonly name: string;
  /** The address of an agent on another machine; the rules of its transport are then judged as well. */
  readonly endpoint?: RemoteEndpoint | undefined;
  /** An existing folder that will contain the session folders, for an agent that works only there. Default: the temporary folder. */
  readonly sessionsIn?: string | undefined;
  /**
   * Opens a connection to a fresh instance. Rejects if the agent cannot be started. `cwd` is the working directory of the process, not
   * the folder of a session. `home` is an empty folder to use as the home folder, where the subject supports it; without it the agent
   * keeps its usual one.
   */
  open(options: { readonly cwd: string; readonly home?: string | undefined }): Promise<Line>;
}

/**
 * An agent that is started as a process and speaks over stdin and stdout.
 * @param argv the program and its arguments; no shell parses them
 * @param env its complete environment. Default: our own
 */
export function commandSubject(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>> = process.env,
): AgentSubject {
  // A different home must not lose the packages that npx has already downloaded.
  const cache = env['npm_config_cache'] ?? join(env['HOME'] ?? homedir(), '.npm');
  return {
    name: argv.join(' '),
    open: ({ cwd, home }) =>
      startProcessLine({
        argv,
        cwd,
        env: home === undefined ? env : { ...env, ...ownHome(home), npm_config_cache: cache },
      }),
  };
}

/**
 * An agent that is reached over a network. The rules of its transport are judged as well; those about processes are not exercised.
 * @param connect opens a connection to it
 * @param locations where its sessions may work, for an agent that does not work everywhere
 */
export function remoteSubject(
  endpoint: RemoteEndpoint,
  connect: () => Transport,
  locations: Pick<AgentSubject, 'sessionsIn'> = {},
): AgentSubject {
  const open = (): Promise<Line> => Promise.resolve(transportLine(connect(), { readsFrames: true }));
  return { ...locations, name: endpoint.url, endpoint, open };
}
