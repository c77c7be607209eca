import type { Edition } from '@turnwire/protocol';
import type { Connection } from '../connection/connection.ts';
import type { AnyHandler, ParamsParser } from '../connection/registrations.ts';
import type { JsonRpcId, MaybePromise } from '../json-rpc/messages.ts';
import type { Stream } from '../streams/stream.ts';
import type { AgentConnectOptions } from './agent-connector.ts';
import { type AcpConnection, App, type ConnectHandler, whileOpen } from './app.ts';
import type { AcpContext } from './context.ts';
import type { HandlerContext, Name, NotificationHandlers, RequestHandlers, Wire, WithRequestId } from './wire.ts';

/** The agent's end of a connection. */
export type AgentConnectionOf<Context> = AcpConnection & {
  /** Calls the client. */
  readonly client: Context;
} & Pick<Context, Extract<keyof Context, 'initialized'>>;

/** The field of a context that calls the client. */
export type WithClient<Context> = {
  /** Calls the client. */
  client: Context;
};

/** An app of the other side, in this process. */
interface OtherApp {
  readonly inner: App;
}

/** The parts of an agent's app that depend on the version. */
interface AgentAppParts<Context> {
  readonly edition: Edition;
  readonly makeContext: (connection: Connection, requestId?: JsonRpcId) => Context;
  readonly strip?: boolean | undefined;
}

/** Handlers of an agent, from which any number of connections can be opened. */
export class AgentAppOf<W extends Wire, Context extends AcpContext> {
  /** For apps of the other side that connect to this one. */
  readonly inner: App;

  constructor({ edition, makeContext, strip }: AgentAppParts<Context>) {
    this.inner = new App({
      side: 'agent',
      edition,
      strip,
      peerField: 'client',
      isGated: true,
      makePeer: makeContext,
      makeHandle: (connection) =>
        new AgentHandle(connection, makeContext(connection), (handle) => this.inner.runConnectHandlers(handle)),
    });
  }

  /** Opens a connection over a stream, or to a client in this process. */
  connect(stream: Stream, options?: AgentConnectOptions): AgentConnectionOf<Context>;
  connect(client: OtherApp): AgentConnectionOf<Context>;
  connect(target: Stream | OtherApp, { deferConnectHandlers }: AgentConnectOptions = {}): AgentConnectionOf<Context> {
    return this.inner.connect(
      'inner' in target ? target.inner : target,
      deferConnectHandlers,
    ) as AgentConnectionOf<Context>;
  }

  /** Opens a connection for the time of `op`. */
  connectWith<Value>(target: Stream | OtherApp, op: (context: Context) => MaybePromise<Value>): Promise<Value> {
    const connection = this.connect(target as Stream);
    return whileOpen(connection, () => op(connection.client));
  }

  /** Adds a function that is called for each new connection, before its first message. If it fails, the connection ends. */
  onConnect(handler: ConnectHandler<AgentConnectionOf<Context>>): this {
    this.inner.addConnectHandler(handler);
    return this;
  }

  /** Adds the handler of a request: of the protocol, of an extension with a parser, or of all others (`*`). */
  onRequest(
    method: '*',
    handler: (context: HandlerContext<unknown> & WithRequestId & WithClient<Context>) => MaybePromise<unknown>,
  ): this;
  onRequest<M extends Name<W['agentRequests']>>(
    method: M,
    handler: RequestHandlers<W['agentRequests'], WithClient<Context>>[M],
  ): this;
  onRequest<Params, Response>(
    method: string,
    params: ParamsParser<Params>,
    handler: (context: HandlerContext<Params> & WithRequestId & WithClient<Context>) => MaybePromise<Response>,
  ): this;
  onRequest(method: string, first: AnyHandler | ParamsParser<unknown>, second?: AnyHandler): this {
    this.inner.registrations.add('request', method, [first, second]);
    return this;
  }

  /** Adds the handler of a notification. Handlers start in the order of arrival; nothing waits for one that is asynchronous. */
  onNotification(
    method: '*',
    handler: (context: HandlerContext<unknown> & WithClient<Context>) => MaybePromise<void>,
  ): this;
  onNotification<M extends Name<W['agentNotifications']>>(
    method: M,
    handler: NotificationHandlers<W['agentNotifications'], WithClient<Context>>[M],
  ): this;
  onNotification<Params>(
    method: string,
    params: ParamsParser<Params>,
    handler: (context: HandlerContext<Params> & WithClient<Context>) => MaybePromise<void>,
  ): this;
  onNotification(method: string, first: AnyHandler | ParamsParser<unknown>, second?: AnyHandler): this {
    this.inner.registrations.add('notification', method, [first, second]);
    return this;
  }
}

/** The connection of an agent. */
class AgentHandle<Context> implements AcpConnection {
  readonly client: Context;
  readonly signal: AbortSignal;
  readonly closed: Promise<void>;
  readonly #connection: Connection;
  #whenStarted: ((handle: AcpConnection) => void) | undefined;

  constructor(connection: Connection, client: Context, whenStarted: (handle: AcpConnection) => void) {
    this.client = client;
    this.signal = connection.signal;
    this.closed = connection.closed;
    this.#connection = connection;
    this.#whenStarted = whenStarted;
  }

  /** In version 2: resolves when `initialize` was answered. */
  get initialized(): Promise<unknown> {
    return this.#connection.initialization.done;
  }

  close(error?: unknown): void {
    this.#connection.close(error);
  }

  /** Calls the handlers that `deferConnectHandlers` left out. */
  startConnectHandlers(): void {
    const start = this.#whenStarted;
    this.#whenStarted = undefined;
    start?.(this);
  }
}
