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

/** What a handler may ask about the message it handles. */
export interface HandlerContext<S extends Side = Side, E extends EditionTypes = V1> {
  /** The connection the message came in on: call back on it. */
  readonly peer: Peer<S, E>;
  /** The method's wire name. */
  readonly method: string;
}

/** What a request handler may ask about the request it handles. */
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
 * What a side does with what it receives, keyed by wire name. A method without a handler is answered -32601
 * (request) or ignored (notification). `$/cancel_request` is handled by the peer itself.
 */
export type Handlers<S extends Side, E extends EditionTypes = V1> = {
  readonly [M in RequestMethod<S, E>]?: RequestHandler<S, M, E>;
} & {
  readonly [M in NotificationMethod<S, E>]?: NotificationHandler<S, M, E>;
} & Extensions<S, E>;

/** What a side does with messages beyond the stable methods: those its edition adds, typed, and extensions. */
export type AddedHandlers<S extends Side, E extends EditionTypes> = {
  readonly [M in Exclude<RequestMethod<S, E>, MethodName>]?: RequestHandler<S, M, E>;
} & {
  readonly [M in Exclude<NotificationMethod<S, E>, MethodName>]?: NotificationHandler<S, M, E>;
} & Extensions<S, E>;

/** What a side does with messages beyond the protocol. */
export interface Extensions<S extends Side, E extends EditionTypes = V1> {
  readonly [method: ExtensionMethod]: ExtensionHandler<S, E> | undefined;
  /**
   * Handles every message that has no handler of its own: methods of a draft or of a later version, or everything, for those who pass
   * messages on. `context.method` says which. Parameters of methods the table knows are checked as ever, and what this side did not
   * advertise is refused before.
   */
  readonly '*'?: ExtensionHandler<S, E> | undefined;
}

/**
 * Messages sent on purpose whatever the table of methods says: methods of a draft or of a later version, or forms a test needs. Nothing
 * is checked or gated but that `initialize` comes first, and answers are handed over as they came.
 */
export interface RawCalls {
  /** Calls a method by its name. */
  request(method: string, params?: unknown, options?: RequestOptions): Promise<unknown>;
  /** Tells something by its name. Resolves and rejects as {@link Peer.notify} does. */
  notify(method: string, params?: unknown): Promise<void>;
  /**
   * The same with parameters that are JSON already, for who passes on what was written before: it is not looked at, so it has to be an object or a list.
   * @param sessionId the session the parameters name, for transports that carry sessions on streams of their own
   * @returns nothing while there is room; otherwise a promise, as {@link Peer.notify} returns it
   */
  notifyWritten(method: string, params: string, sessionId?: string): Promise<void> | undefined;
}

/**
 * Options of one outgoing request. An answer that has come but waits behind slow handlers is handed over when either
 * strikes.
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
  /** Sends what the table of methods does not know, or does not allow. */
  readonly raw: RawCalls;
  /** What the other side said in `initialize`: the request's parameters for an agent, the answer for a client. Undefined before. */
  readonly remote:
    | (S extends 'agent' ? Params<'initialize' & MethodName<E>, E> : Result<'initialize' & MethodName<E>, E>)
    | undefined;
  /** Resolves when the connection is over; never rejects. */
  readonly closed: Promise<Closed>;
  /** Ends the connection: pending calls reject with `connection-closed`, running handlers' signals abort, what is queued is written. */
  close(): Promise<void>;
}

/** What a peer is made with, besides its transport and handlers. Everything has a default. */
export interface PeerOptions<E extends EditionTypes = V1> {
  /** What can be said on the connection. Default: the stable methods of version 1, `v1`. */
  readonly edition?: Edition<E> | undefined;
  /** Which non-official spellings are understood. Default: `lenient`. */
  readonly dialect?: Dialect | undefined;
  /** What this side knows of its sessions and a message of the dialect may leave out. Default: nothing. */
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
  /** Keeps what both sides said in `initialize`. Default: as it is. For programs with thousands of connections there is `keptValue`. */
  readonly keep?: (<Value>(value: Value) => Value) | undefined;
  /** The id of the first request of this side; those after it count up. For several peers whose frames go over one connection. Default 0. */
  readonly firstId?: number | undefined;
}
