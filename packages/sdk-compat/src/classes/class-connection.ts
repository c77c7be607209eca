import type { V1 } from '@turnwire/protocol';
import type { AcpContext } from '../apps/context.ts';
import type { Name, ParamsOf, ResponseOf, WireOf } from '../apps/wire.ts';
import type { Definitions } from '../generated/v1-types.ts';
import type { SendRequestOptions } from '../json-rpc/messages.ts';

/** The messages of version 1. */
export type V1Wire = WireOf<V1['methods'], Definitions>;

/** The parts that the connections of both sides share. */
export abstract class ClassConnection<Requests, Notifications> {
  /** Set once, when the connection is opened. */
  protected context!: AcpContext;

  /** Aborts when the connection ends. */
  get signal(): AbortSignal {
    return this.context.connection.signal;
  }

  /** Resolves when the connection has ended. */
  get closed(): Promise<void> {
    return this.context.connection.closed;
  }

  /** Sends a request by the name of its method. */
  request<M extends Name<Requests>>(
    method: M,
    params: ParamsOf<Requests[M]>,
    options?: SendRequestOptions,
  ): Promise<ResponseOf<Requests[M]>>;
  request<Response = unknown, Params = unknown>(
    method: string,
    params?: Params,
    options?: SendRequestOptions,
  ): Promise<Response>;
  request(method: string, params?: unknown, options?: SendRequestOptions): Promise<unknown> {
    return this.context.connection.request(method, params, options);
  }

  /** Sends a notification by the name of its method. */
  notify<M extends Name<Notifications>>(method: M, params: Notifications[M]): Promise<void>;
  notify<Params = unknown>(method: string, params?: Params): Promise<void>;
  notify(method: string, params?: unknown): Promise<void> {
    return this.context.connection.notify(method, params);
  }

  /** Sends a request that the protocol does not have. */
  extMethod(method: string, params: Record<string, unknown>): Promise<Record<string, unknown>> {
    return this.request(method, params);
  }

  /** Sends a notification that the protocol does not have. */
  extNotification(method: string, params: Record<string, unknown>): Promise<void> {
    return this.notify(method, params);
  }
}
