import { connectAgent } from '@turnwire/protocol';
import type { Closed, Log, PeerOptions, Transport } from '@turnwire/protocol';
import { serveStdio } from '@turnwire/transports/stdio';
import { checkAuth } from './agent-auth.ts';
import { agentHandlers } from './agent-handlers.ts';
import type { AgentDefinition } from './definition.ts';
import { turnLimits } from './session/turn-limits.ts';
import type { TurnLimits } from './session/turn-limits.ts';
import { Sessions } from './session/sessions.ts';
import { errorsToStderr } from './errors-to-stderr.ts';
import { checkedTransport } from './self-check/checked-transport.ts';

/** How an agent is served. Everything has a default. */
export interface ServeOptions extends Omit<PeerOptions, 'log'> {
  /** What to serve on. Default: this process's stdin and stdout; the process then ends when the client is gone. */
  readonly transport?: Transport | undefined;
  /** Told about every message and every warning. Default: errors go to stderr. Never writes to stdout. */
  readonly log?: Log | undefined;
  /** Limits of a session's turns; each has a default. */
  readonly turns?: Partial<TurnLimits> | undefined;
  /**
   * Looks at every frame for what the protocol forbids: against the schema, and for the order of things, such as a tool call that
   * outlives the answer to its prompt. Violations are logged as errors, or told to the function given. For tests. Default false.
   */
  readonly selfCheck?: boolean | ((violation: string) => void) | undefined;
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
 * @throws TurnwireError `invalid-input` if the definition or a limit cannot be
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
  const { transport, log = errorsToStderr, turns, selfCheck = false, ...peerOptions } = options;
  if (definition.auth) checkAuth(definition.auth);
  const sessions = new Sessions({ definition, limits: turnLimits(turns), log });
  const report = (detail: string): void =>
    log({ level: 'error', event: 'the agent broke a rule of the protocol', detail });
  const bare = transport ?? serveStdio();
  const wire = selfCheck === false ? bare : checkedTransport(bare, selfCheck === true ? report : selfCheck);
  const peer = connectAgent(wire, agentHandlers(definition, { sessions, log }), { ...peerOptions, log });
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
