import type { Connection } from '../connection/connection.ts';
import type { JsonRpcId, SendRequestOptions } from '../json-rpc/messages.ts';
import { RequestError } from '../json-rpc/request-error.ts';
import type { Name, ParamsOf, ResponseOf, Wire } from './wire.ts';

/** The parts that the contexts of both sides share. */
export class AcpContext {
  /** The connection, for the other parts of this package. */
  readonly connection: Connection;
  readonly #requestId: JsonRpcId | undefined;

  constructor(connection: Connection, requestId?: JsonRpcId) {
    this.connection = connection;
    this.#requestId = requestId;
  }

  /** The id of the request that is handled; undefined in a notification and outside of handlers. */
  get requestId(): JsonRpcId | undefined {
    return this.#requestId;
  }
}

/** Calls a client: the `client` of an agent's handlers. */
export class AgentContext<W extends Wire> extends AcpContext {
  /** Sends a request and resolves with its answer. Methods of the protocol have types; others take them as parameters. */
  request<M extends Name<W['clientRequests']>>(
    method: M,
    params: ParamsOf<W['clientRequests'][M]>,
    options?: SendRequestOptions,
  ): Promise<ResponseOf<W['clientRequests'][M]>>;
  request<Response = unknown, Params = unknown>(
    method: string,
    params?: Params,
    options?: SendRequestOptions,
  ): Promise<Response>;
  request(method: string, params?: unknown, options?: SendRequestOptions): Promise<unknown> {
    return this.connection.request(method, params, options);
  }

  /** Sends a notification. */
  notify<M extends Name<W['clientNotifications']>>(method: M, params: W['clientNotifications'][M]): Promise<void>;
  notify<Params = unknown>(method: string, params?: Params): Promise<void>;
  notify(method: string, params?: unknown): Promise<void> {
    return this.connection.notify(method, params);
  }
}

/** Calls an agent: the `agent` of a client's handlers. */
export class ClientContext<W extends Wire> extends AcpContext {
  /**
   * Sends a request and resolves with its answer. Methods of the protocol have types; others take them as parameters. Closing or deleting
   * a session that does not exist succeeds.
   */
  request<M extends Name<W['agentRequests']>>(
    method: M,
    params: ParamsOf<W['agentRequests'][M]>,
    options?: SendRequestOptions,
  ): Promise<ResponseOf<W['agentRequests'][M]>>;
  request<Response = unknown, Params = unknown>(
    method: string,
    params?: Params,
    options?: SendRequestOptions,
  ): Promise<Response>;
  request(method: string, params?: unknown, options?: SendRequestOptions): Promise<unknown> {
    const answer = this.connection.request(method, params, options);
    if (method !== 'session/close' && method !== 'session/delete') return answer;
    return answer.catch((error: unknown) => {
      if (error instanceof RequestError && error.code === -32002) return {};
      throw error;
    });
  }

  /** Sends a notification. */
  notify<M extends Name<W['agentNotifications']>>(method: M, params: W['agentNotifications'][M]): Promise<void>;
  notify<Params = unknown>(method: string, params?: Params): Promise<void>;
  notify(method: string, params?: unknown): Promise<void> {
    return this.connection.notify(method, params);
  }
}
