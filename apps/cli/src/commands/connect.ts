import { TurnwireError } from '@turnwire/protocol';
import { serveStdio } from '@turnwire/transports/stdio';
import { exitCodes } from '../exit-codes.ts';
import { CommandError, warn } from '../failure.ts';
import { Relay } from '../relay/relay.ts';
import { remoteAgent, remoteTransport } from '../driving/remote-connection.ts';

/** Which agent to connect to. */
export interface ConnectArguments {
  readonly headerFile?: string;
  readonly insecure?: true;
  /** Whether a connection that breaks is made again. */
  readonly reconnect: boolean;
}

/**
 * Is a remote agent on stdin and stdout: passes every frame on as it is, both ways, until one side leaves. Resolves with the exit code: 1 if the
 * connection failed, which says why on stderr.
 */
export async function connect(text: string, { headerFile, insecure, reconnect }: ConnectArguments): Promise<number> {
  try {
    const words = [text, ...(headerFile === undefined ? [] : ['--header-file', headerFile])];
    const agent = remoteAgent(insecure ? [...words, '--insecure'] : words, { env: process.env, cwd: process.cwd() });
    return await new Relay({
      local: serveStdio(),
      connect: () => remoteTransport(agent, { mayLeave: true }),
      reconnects: reconnect,
      report: warn,
    }).run();
  } catch (error) {
    if (!(error instanceof CommandError || error instanceof TurnwireError)) throw error;
    warn(error.message);
    return exitCodes.usage;
  }
}
