import { inspect } from 'node:util';
import { connectAgent } from '@turnwire/protocol';
import type { Closed, Log, LogEntry, PeerOptions, Transport } from '@turnwire/protocol';
import { serveStdio } from '@turnwire/transports/stdio';
import { checkAuth } from './agent-auth.ts';
import { agentHandlers } from './agent-handlers.ts';
import type { AgentDefinition } from './definition.ts';
import { turnLimits } from './session/turn-limits.ts';
import type { TurnLimits } from './session/turn-limits.ts';
import { Sessions } from './session/sessions.ts';
import { checkedTransport } from './self-check/checked-transport.ts';

/** Options for serving an agent. All have defaults. */
export interface ServeOptions extends Omit<PeerOptions, 'log'> {
  /** The transport. Default: this process's stdin and stdout; the process then ends when the client disconnects. */
  readonly transport?: Transport | undefined;
  /** Receives every message and every warning. Default: errors go to stderr. Never writes to stdout. */
  readonly log?: Log | undefined;
  /** Limits of a session's turns; each has a default. */
  readonly turns?: Partial<TurnLimits> | undefined;
  /**
   * Checks every frame for protocol violations: against the schema, and for the order of messages, such as a tool call that is still open
   * when its prompt is answered. Violations are logged as errors, or passed to the given function. For tests. Default false.
   */
  readonly selfCheck?: boolean | ((violation: string) => void) | undefined;
}

/** An agent that is being served. */
export interface ServedAgent extends AsyncDisposable {
  /** Resolves when the connection has ended and every session is closed; never rejects. */
  readonly closed: Promise<Closed>;
  /** Ends the connection: running turns are cancelled, queued messages are written. */
  close(): Promise<void>;
}

// Long enough for an agent to end its child processes, such as a command that is slow to stop.
const shutdownGrace = 3_000;

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
    if (transport === undefined) setTimeout(() => process.exit(), shutdownGrace).unref();
    await sessions.closeAll();
    return how;
  });
  const close = async (): Promise<void> => {
    await peer.close();
    await closed;
  };
  return { closed, close, [Symbol.asyncDispose]: close };
}

/** Writes errors of this side to stderr, where clients look for the reason when an agent ends. */
function errorsToStderr({ level, event, method, detail, error }: LogEntry): void {
  if (level !== 'error') return;
  const facts = [event, method, detail].filter((fact) => fact !== undefined).join(': ');
  process.stderr.write(error === undefined ? `${facts}\n` : `${facts}\n${inspect(error)}\n`);
}
