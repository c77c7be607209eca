import {
  AgentwireError,
  type NotificationMethod,
  type Params,
  type Peer,
  type RequestMethod,
  type RequestOptions,
  type Result,
} from '@agentwire/protocol';

/** What sessions need of the wire: calls whose errors say why the connection ended, not only that it did. */
export interface Connection {
  request<M extends RequestMethod<'agent'>>(method: M, params: Params<M>, options?: RequestOptions): Promise<Result<M>>;
  notify<M extends NotificationMethod<'agent'>>(method: M, params: Params<M>): Promise<void>;
}

/** Calls on a peer. */
export function connectionOn(peer: Peer<'client'>): Connection {
  return {
    request: (method, params, options) => peer.request(method, params, options).catch(rethrowReason),
    notify: (method, params) => peer.notify(method, params),
  };
}

/** The transport knows best what ended it: how the process did, and its last words. */
function rethrowReason(error: unknown): never {
  const isClosed = error instanceof AgentwireError && error.code === 'connection-closed';
  throw isClosed && error.cause instanceof AgentwireError ? error.cause : error;
}
