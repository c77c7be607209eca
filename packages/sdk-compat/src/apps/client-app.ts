import type { Edition } from '@turnwire/protocol';
import type { Connection } from '../connection/connection.ts';
import type { AnyHandler, ParamsParser } from '../connection/registrations.ts';
import type { JsonRpcId, MaybePromise } from '../json-rpc/messages.ts';
import type { Stream } from '../streams/stream.ts';
import { admitUpdates } from './admit-updates.ts';
import { type AcpConnection, App, type ConnectHandler, whileOpen } from './app.ts';
import type { AcpContext } from './context.ts';
import type { HandlerContext, Name, NotificationHandlers, RequestHandlers, Wire, WithRequestId } from './wire.ts';

/** The client's end of a connection. */
export type ClientConnectionOf<Context> = AcpConnection & {
  /** Calls the agent. */
  readonly agent: Context;
} & Pick<Context, Extract<keyof Context, 'initialized'>>;

/** The field of a context that calls the agent. */
export type WithAgent<Context> = {
  /** Calls the agent. */
  agent: Context;
};

/** An app of the other side, in this process. */
interface OtherApp {
  readonly inner: App;
}

/** The parts of a client's app that depend on the version. */
interface ClientAppParts<Context> {
  readonly edition: Edition;
  readonly makeContext: (connection: Connection, requestId?: JsonRpcId) => Context;
  readonly strip?: boolean | undefined;
  /** The kinds of updates that handlers receive. Absent: all. */
  readonly knownUpdates?: ReadonlySet<string>;
}

/** Handlers of a client, from which any number of connections can be opened. */
export class ClientAppOf<W extends Wire, Context extends AcpContext> {
  /** For apps of the other side that connect to this one. */
  readonly inner: App;

  constructor({ edition, makeContext, knownUpdates, strip }: ClientAppParts<Context>) {
    this.inner = new App({
      side: 'client',
      edition,
      strip,
      peerField: 'agent',
      makePeer: makeContext,
      makeHandle: (connection) => new ClientHandle(connection, makeContext(connection)),
      isGated: false,
      admitNotification: admitUpdates(knownUpdates, () => this.inner.registrations.has('notification', '*')),
    });
  }

  /** Opens a connection over a stream, or to an agent in this process. */
  connect(stream: Stream): ClientConnectionOf<Context>;
  connect(agent: OtherApp): ClientConnectionOf<Context>;
  connect(target: Stream | OtherApp): ClientConnectionOf<Context> {
    return this.inner.connect('inner' in target ? target.inner : target) as ClientConnectionOf<Context>;
  }

  /** Opens a connection for the time of `op`. */
  connectWith<Value>(target: Stream | OtherApp, op: (context: Context) => MaybePromise<Value>): Promise<Value> {
    const connection = this.connect(target as Stream);
    return whileOpen(connection, () => op(connection.agent));
  }

  /** Adds a function that is called for each new connection, before its first message. If it fails, the connection ends. */
  onConnect(handler: ConnectHandler<ClientConnectionOf<Context>>): this {
    this.inner.addConnectHandler(handler);
    return this;
  }

  /** Adds the handler of a request: of the protocol, of an extension with a parser, or of all others (`*`). */
  onRequest(
    method: '*',
    handler: (context: HandlerContext<unknown> & WithRequestId & WithAgent<Context>) => MaybePromise<unknown>,
  ): this;
  onRequest<M extends Name<W['clientRequests']>>(
    method: M,
    handler: RequestHandlers<W['clientRequests'], WithAgent<Context>>[M],
  ): this;
  onRequest<Params, Response>(
    method: string,
    params: ParamsParser<Params>,
    handler: (context: HandlerContext<Params> & WithRequestId & WithAgent<Context>) => MaybePromise<Response>,
  ): this;
  onRequest(method: string, first: AnyHandler | ParamsParser<unknown>, second?: AnyHandler): this {
    this.inner.registrations.add('request', method, [first, second]);
    return this;
  }

  /** Adds the handler of a notification. Handlers start in the order of arrival; nothing waits for one that is asynchronous. */
  onNotification(
    method: '*',
    handler: (context: HandlerContext<unknown> & WithAgent<Context>) => MaybePromise<void>,
  ): this;
  onNotification<M extends Name<W['clientNotifications']>>(
    method: M,
    handler: NotificationHandlers<W['clientNotifications'], WithAgent<Context>>[M],
  ): this;
  onNotification<Params>(
    method: string,
    params: ParamsParser<Params>,
    handler: (context: HandlerContext<Params> & WithAgent<Context>) => MaybePromise<void>,
  ): this;
  onNotification(method: string, first: AnyHandler | ParamsParser<unknown>, second?: AnyHandler): this {
    this.inner.registrations.add('notification', method, [first, second]);
    return this;
  }
}

/** The connection of a client. */
class ClientHandle<Context> implements AcpConnection {
  readonly agent: Context;
  readonly signal: AbortSignal;
  readonly closed: Promise<void>;
  readonly #connection: Connection;

  constructor(connection: Connection, agent: Context) {
    this.agent = agent;
    this.signal = connection.signal;
    this.closed = connection.closed;
    this.#connection = connection;
  }

  /** In version 2: resolves when `initialize` was answered. */
  get initialized(): Promise<unknown> {
    return this.#connection.initialization.done;
  }

  close(error?: unknown): void {
    this.#connection.close(error);
  }
}
