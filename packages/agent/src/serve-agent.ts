import { connectAgent, TurnwireError, v1 } from '@turnwire/protocol';
import { connectAgentVersions, v2 } from '@turnwire/protocol/v2';
import type { Closed, EditionTypes, Log, LogEntry, Peer, PeerOptions, Transport, V1 } from '@turnwire/protocol';
import { checkAuth } from './agent-auth.ts';
import { agentHandlers } from './agent-handlers.ts';
import { v2Handlers } from './v2-handlers.ts';
import type { Offer, V2 } from '@turnwire/protocol/v2';
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
  /**
   * The versions of the protocol that clients may choose. Version 2 is in Preview: it may still change. A connection has the highest version
   * that the client speaks. Default: only version 1.
   */
  readonly versions?: readonly (1 | 2)[] | undefined;
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
 * @throws TurnwireError `invalid-input` if the definition, a limit or the list of versions is invalid
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
  { transport, log = errorsToConsole, turns, versions = [1], selfCheck = false, ...peerOptions }: ServeOptions,
  { machine, onGone }: ServingContext,
): ServedAgent {
  // Only the author needs the type of the edition: its methods are looked up by name.
  const definition = defined as unknown as AgentDefinition<Memory>;
  if (definition.auth) checkAuth(definition.auth);
  const sessions = new Sessions({ definition, limits: turnLimits(turns), log, machine });
  const report = (detail: string): void =>
    log({ level: 'error', event: 'the agent broke a rule of the protocol', detail });
  const { edition = v1, editionV2 = v2 } = definition;
  const wire =
    selfCheck === false ? transport : checkedTransport(transport, edition, selfCheck === true ? report : selfCheck);
  const parts = { sessions, log };
  const options = { ...peerOptions, log };
  const peer = connectIn(versions, wire, {
    v1: () => ({ edition, handlers: agentHandlers(definition, parts) }),
    // The stable handlers, and those of its further methods, which are looked up by name.
    v2: () => ({ edition: editionV2 as typeof v2, handlers: v2Handlers(definition, parts) }),
    options,
  });
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

interface Offers {
  readonly v1: () => Offer<'agent', V1>;
  readonly v2: () => Offer<'agent', V2>;
  readonly options: Omit<PeerOptions<EditionTypes>, 'edition'>;
}

/** Connects an agent that offers these versions. */
function connectIn(
  versions: readonly number[],
  transport: Transport,
  offers: Offers,
): Pick<Peer<'agent'>, 'closed' | 'close'> {
  const [has1, has2] = [versions.includes(1), versions.includes(2)];
  if ((!has1 && !has2) || versions.some((version) => version !== 1 && version !== 2))
    throw new TurnwireError(
      'invalid-input',
      `versions: expected [1], [2] or [1, 2], received ${JSON.stringify(versions)}`,
    );
  if (has1 && has2) return connectAgentVersions(transport, [offers.v1(), offers.v2()], offers.options);
  if (has2) {
    const { handlers, edition } = offers.v2();
    return connectAgent(transport, handlers, { ...offers.options, edition });
  }
  const { handlers, edition } = offers.v1();
  return connectAgent(transport, handlers, { ...offers.options, edition });
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
