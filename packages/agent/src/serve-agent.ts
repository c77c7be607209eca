import { connectAgent } from '@agentwire/protocol';
import type { Closed, Log, PeerOptions, Transport } from '@agentwire/protocol';
import { serveStdio } from '@agentwire/transports/stdio';
import { agentHandlers } from './agent-handlers.ts';
import type { AgentDefinition } from './definition.ts';
import { defaultTurnLimits } from './session/turn-limits.ts';
import type { TurnLimits } from './session/turn-limits.ts';
import { Sessions } from './session/sessions.ts';
import { errorsToStderr } from './errors-to-stderr.ts';

/** How an agent is served. Everything has a default. */
export interface ServeOptions extends Omit<PeerOptions, 'log'> {
  /** What to serve on. Default: this process's stdin and stdout; the process then ends when the client is gone. */
  readonly transport?: Transport | undefined;
  /** Told about every message and every trouble. Default: errors go to stderr. Never writes to stdout. */
  readonly log?: Log | undefined;
  /** Limits of a session's turns; each has a default. */
  readonly turns?: Partial<TurnLimits> | undefined;
}

/** An agent at work. */
export interface ServedAgent extends AsyncDisposable {
  /** Resolves when the connection is over and every session is closed; never rejects. */
  readonly closed: Promise<Closed>;
  /** Ends the connection: running turns are cancelled, what is queued is written. */
  close(): Promise<void>;
}

// Long enough for an agent to end what it started, such as a command that is slow to stop.
const lastWords = 3_000;

/**
 * Serves an agent to one client.
 *
 * @example
 * serveAgent({
 *   info: { name: 'echo', version: '1.0.0' },
 *   prompt: (turn) => turn.say(`You said: ${turn.text}`),
 * });
 */
export function serveAgent<Memory = undefined>(
  definition: AgentDefinition<Memory>,
  options: ServeOptions = {},
): ServedAgent {
  const { transport, log = errorsToStderr, turns, ...peerOptions } = options;
  const sessions = new Sessions({ definition, limits: { ...defaultTurnLimits, ...turns }, log });
  const peer = connectAgent(transport ?? serveStdio(), agentHandlers(definition, sessions), { ...peerOptions, log });
  const closed = peer.closed.then(async (how) => {
    if (transport === undefined) setTimeout(() => process.exit(), lastWords).unref();
    await sessions.closeAll();
    return how;
  });
  const close = async (): Promise<void> => {
    await peer.close();
    await closed;
  };
  return { closed, close, [Symbol.asyncDispose]: close };
}
