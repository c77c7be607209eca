import type { Dialect, SessionLookup } from '../dialects/dialect.ts';
import type { Edition, EditionTypes, V1 } from '../edition.ts';
import type { RequestId } from '../json-rpc/request-id.ts';
import type { Log } from '../log/log.ts';
import type {
  ExtensionMethod,
  MethodName,
  NotificationMethod,
  Params,
  RequestMethod,
  Result,
} from '../method-types.ts';
import type { Opposite, Side } from '../side.ts';
import type { Limits } from './limits.ts';

/** Facts about the message that a handler handles. */
export interface HandlerContext<S extends Side = Side, E extends EditionTypes = V1> {
  /** The connection the message came in on: call back on it. */
  readonly peer: Peer<S, E>;
  /** The method's wire name. */
  readonly method: string;
}

/** Facts about the request that a handler handles. */
export interface RequestContext<S extends Side = Side, E extends EditionTypes = V1> extends HandlerContext<S, E> {
  /** The id the peer chose. */
  readonly requestId: RequestId;
  /**
   * Aborts when the peer cancels the request (`$/cancel_request`) or the connection ends; its reason is then a TurnwireError
   * `connection-closed`.
   */
  readonly signal: AbortSignal;
}

/** Handles a request: the returned value is the answer; a thrown ProtocolError is the error answer. */
export type RequestHandler<S extends Side, M extends RequestMethod<S, E>, E extends EditionTypes = V1> = (
  params: Params<M, E>,
  context: RequestContext<S, E>,
) => Result<M, E> | Promise<Result<M, E>>;

/** Handles a notification. Later messages of the same session wait until a returned promise settles. */
export type NotificationHandler<S extends Side, M extends NotificationMethod<S, E>, E extends EditionTypes = V1> = (
  params: Params<M, E>,
  context: HandlerContext<S, E>,
) => void | Promise<void>;

/**
 * Handles a `_`-prefixed method, request and notification alike; `context.requestId` is undefined for a notification.
 * The returned value answers a request (`undefined` becomes `null`).
 */
export type ExtensionHandler<S extends Side, E extends EditionTypes = V1> = (
  params: unknown,
  context: HandlerContext<S, E> & Partial<RequestContext<S, E>>,
) => unknown;

/**
 * The handlers of a side, keyed by wire name. A method without a handler is answered -32601
 * (request) or ignored (notification). `$/cancel_request` is handled by the peer itself.
 */
export type Handlers<S extends Side, E extends EditionTypes = V1> = {
  readonly [M in RequestMethod<S, E>]?: RequestHandler<S, M, E>;
} & {
  readonly [M in NotificationMethod<S, E>]?: NotificationHandler<S, M, E>;
} & Extensions<S, E>;

/** Handlers for messages beyond the stable methods: typed ones for the methods that the edition adds, and extensions. */
export type AddedHandlers<S extends Side, E extends EditionTypes> = {
  readonly [M in Exclude<RequestMethod<S, E>, MethodName>]?: RequestHandler<S, M, E>;
} & {
  readonly [M in Exclude<NotificationMethod<S, E>, MethodName>]?: NotificationHandler<S, M, E>;
} & Extensions<S, E>;

/** Handlers for messages beyond the protocol. */
export interface Extensions<S extends Side, E extends EditionTypes = V1> {
  readonly [method: ExtensionMethod]: ExtensionHandler<S, E> | undefined;
  /**
   * Handles every message that has no other handler: methods of a draft or of a later version, or all of them in a program that passes
   * messages on. `context.method` is the name. Parameters of methods in the table are checked, and methods that this side did not advertise
   * are refused first.
   */
  readonly '*'?: ExtensionHandler<S, E> | undefined;
}

/**
 * Messages that are sent whether or not the table of methods allows them: methods of a draft or of a later version, or malformed ones for a
 * test. The only check is that `initialize` comes first, and answers are returned as they came.
 */
export interface RawCalls {
  /** Calls a method by its name. */
  request(method: string, params?: unknown, options?: RequestOptions): Promise<unknown>;
  /** Sends a notification by its name. Resolves and rejects as {@link Peer.notify} does. */
  notify(method: string, params?: unknown): Promise<void>;
  /**
   * The same with parameters that are JSON text already, for programs that pass messages on. The text is not checked: it has to be an
   * object or a list.
   * @param sessionId the session the parameters name, for transports that have one stream for each session
   * @returns a promise under backpressure, as {@link Peer.notify} does; otherwise nothing
   */
  notifyWritten(method: string, params: string, sessionId?: string): Promise<void> | undefined;
}

/**
 * Options of one outgoing request. An answer that waits behind slow handlers is delivered when the signal aborts or the timeout ends.
 */
export interface RequestOptions {
  /** Aborting sends `$/cancel_request`; the call then rejects with code `cancelled`, or resolves if the peer answers with a result. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds to wait for an answer before cancelling and rejecting with code `timeout`. Default: no limit. */
  readonly timeout?: number | undefined;
}

/** Why a connection ended. */
export interface Closed {
  /** `local`: this side closed; `remote`: the peer ended its side in order; `error`: the wire broke. */
  readonly by: 'local' | 'remote' | 'error';
  readonly error?: Error;
}

/** One end of a connection, speaking as side `S`. */
export interface Peer<S extends Side = Side, E extends EditionTypes = V1> extends AsyncDisposable {
  readonly side: S;
  /** The version agreed on in `initialize`, before the first handler runs; undefined before. */
  readonly version: E['version'] | undefined;
  /** Calls the other side and resolves with its checked answer. Rejects with ProtocolError (the peer's error) or TurnwireError (ours). */
  request<M extends RequestMethod<Opposite<S>, E>>(
    method: M,
    params: Params<M, E>,
    options?: RequestOptions,
  ): Promise<Result<M, E>>;
  /** Calls an extension method. Its answer is returned unchecked. */
  request(method: ExtensionMethod, params?: unknown, options?: RequestOptions): Promise<unknown>;
  /**
   * Sends a notification. Resolves when more can be sent; a rejection is never reported as unhandled.
   * Rejects with TurnwireError `invalid-message`, `not-advertised`, `not-initialized` or `connection-closed`.
   */
  notify<M extends NotificationMethod<Opposite<S>, E>>(method: M, params: Params<M, E>): Promise<void>;
  /** Sends an extension notification. */
  notify(method: ExtensionMethod, params?: unknown): Promise<void>;
  /** Sends messages that the table of methods does not have, or does not allow. */
  readonly raw: RawCalls;
  /**
   * The introduction of the other side in `initialize`: the request's parameters for an agent, the answer for a client. Undefined before.
   */
  readonly remote:
    | (S extends 'agent' ? Params<'initialize' & MethodName<E>, E> : Result<'initialize' & MethodName<E>, E>)
    | undefined;
  /** Resolves when the connection is over; never rejects. */
  readonly closed: Promise<Closed>;
  /**
   * Ends the connection: pending calls reject with `connection-closed`, the signals of running handlers abort, and queued frames are
   * written.
   */
  close(): Promise<void>;
}

/** Options of a peer. Everything has a default. */
export interface PeerOptions<E extends EditionTypes = V1> {
  /** The methods and definitions of the connection. Default: the stable methods of version 1, `v1`. */
  readonly edition?: Edition<E> | undefined;
  /** Which non-official spellings are understood. Default: `lenient`. */
  readonly dialect?: Dialect | undefined;
  /** Facts about this side's sessions that a message in a dialect may leave out. Default: nothing. */
  readonly lookup?: SessionLookup | undefined;
  /** Limits; each has a default. */
  readonly limits?: Partial<Limits> | undefined;
  /** Receives every message and every warning. Default: nothing is logged. */
  readonly log?: Log | undefined;
  /** Refuse calls the peer did not advertise, and messages before `initialize`. Default true; off for tools that must misbehave. */
  readonly gates?: boolean | undefined;
  /** Check outgoing messages against the schema. Default true. */
  readonly checkOutgoing?: boolean | undefined;
  /** Deep-freeze what handlers receive, to find code that writes to it. Slow; for development. Default false. */
  readonly freeze?: boolean | undefined;
  /**
   * Stores the introductions of both sides in `initialize`. Default: as it is. For programs with thousands of connections there is
   * `keptValue`.
   */
  readonly keep?: (<Value>(value: Value) => Value) | undefined;
  /**
   * The id of the first request of this side; those after it count up. For several peers whose frames go over one connection. Default 0.
   */
  readonly firstId?: number | undefined;
}
