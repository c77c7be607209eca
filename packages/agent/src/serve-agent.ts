import { connectAgent, v1 } from '@turnwire/protocol';
import type { Closed, EditionTypes, Log, LogEntry, PeerOptions, Transport, V1 } from '@turnwire/protocol';
import { checkAuth } from './agent-auth.ts';
import { agentHandlers } from './agent-handlers.ts';
import type { AgentDefinition } from './definition.ts';
import { turnLimits } from './turn/turn-limits.ts';
import type { TurnLimits } from './turn/turn-limits.ts';
import { Sessions } from './open-sessions/sessions.ts';
import { checkedTransport } from './self-check/checked-transport.ts';
import type { LocalMachine } from './turn/local-machine.ts';

/** Options for serving an agent. */
export interface ServeOptions extends Omit<PeerOptions, 'log' | 'edition'> {
  /** The transport. */
  readonly transport: Transport;
  /** Receives every message and every warning. Default: errors go to the console, which is stderr. */
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

/**
 * Serves an agent to one client, over any transport, in browsers too. Files and commands of its turns are the client's.
 * @throws TurnwireError `invalid-input` if the definition or a limit is invalid
 */
export function serveAgent<Memory = undefined, E extends EditionTypes = V1>(
  definition: AgentDefinition<Memory, E>,
  options: ServeOptions,
): ServedAgent {
  return serveOn(definition, options, {});
}

/** The environment in which an agent is served. */
export interface ServingContext {
  /** Files and commands for clients that offer none. */
  readonly machine?: LocalMachine;
  /** Called when the client has disconnected, before the sessions are closed. */
  readonly onGone?: () => void;
}

export function serveOn<Memory, E extends EditionTypes>(
  defined: AgentDefinition<Memory, E>,
  { transport, log = errorsToConsole, turns, selfCheck = false, ...peerOptions }: ServeOptions,
  { machine, onGone }: ServingContext,
): ServedAgent {
  // Only the author needs the type of the edition: its methods are looked up by name.
  const definition = defined as unknown as AgentDefinition<Memory>;
  if (definition.auth) checkAuth(definition.auth);
  const sessions = new Sessions({ definition, limits: turnLimits(turns), log, machine });
  const report = (detail: string): void =>
    log({ level: 'error', event: 'the agent broke a rule of the protocol', detail });
  const { edition = v1 } = definition;
  const wire =
    selfCheck === false ? transport : checkedTransport(transport, edition, selfCheck === true ? report : selfCheck);
  const peer = connectAgent(wire, agentHandlers(definition, { sessions, log }), { ...peerOptions, edition, log });
  const closed = peer.closed.then(async (how) => {
    onGone?.();
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
function errorsToConsole({ level, event, method, detail, error }: LogEntry): void {
  if (level !== 'error') return;
  const facts = [event, method, detail].filter((fact) => fact !== undefined).join(': ');
  // A page has only the console; in Node it is stderr.
  // oxlint-disable no-console
  console.error(facts);
  if (error !== undefined) console.error(error);
  // oxlint-enable no-console
}
