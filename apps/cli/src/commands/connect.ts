import { TurnwireError } from '@turnwire/protocol';
import { serveStdio } from '@turnwire/transports/stdio';
import { exitCodes } from '../exit-codes.ts';
import { CommandError, warn } from '../failure.ts';
import { Relay } from '../relay/relay.ts';
import { remoteAgent, remoteTransport } from '../driving/remote-connection.ts';

/** The options of `connect`. */
export interface ConnectArguments {
  readonly headerFile?: string;
  readonly insecure?: true;
  /** Whether to restore a broken connection. */
  readonly reconnect: boolean;
}

/**
 * Runs a remote agent on stdin and stdout: forwards every frame unchanged in both directions until one side leaves. Resolves with the exit
 * code: 1 if the connection failed, with the reason on stderr.
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
