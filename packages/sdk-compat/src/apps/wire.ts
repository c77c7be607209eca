import type { EditionTypes } from '@turnwire/protocol';
import type { JsonRpcId, MaybePromise } from '../json-rpc/messages.ts';

type Rows = EditionTypes['methods'];
type Side = 'agent' | 'client';

type RequestsOf<M extends Rows, Definitions, S extends Side> = {
  [K in keyof M as M[K] extends { readonly side: S; readonly kind: 'request' } ? K : never]: {
    params: Definitions[M[K]['params'] & keyof Definitions];
    response: Definitions[NonNullable<M[K]['result']> & keyof Definitions];
  };
};

type NotificationsOf<M extends Rows, Definitions, S extends Side> = {
  [
    K in keyof M as M[K] extends { readonly side: S; readonly kind: 'notification' } ? K : never
  ]: Definitions[M[K]['params'] & keyof Definitions];
};

/** The messages of an entry of the package, from a table of methods and the types of its definitions. */
export interface WireOf<M extends Rows, Definitions> {
  readonly agentRequests: RequestsOf<M, Definitions, 'agent'>;
  readonly agentNotifications: NotificationsOf<M, Definitions, 'agent'>;
  readonly clientRequests: RequestsOf<M, Definitions, 'client'>;
  readonly clientNotifications: NotificationsOf<M, Definitions, 'client'>;
}

/** The messages of any entry. */
export interface Wire {
  readonly agentRequests: object;
  readonly agentNotifications: object;
  readonly clientRequests: object;
  readonly clientNotifications: object;
}

/** The names of a group of messages. */
export type Name<Messages> = keyof Messages & string;

/** The parameters of a request. */
export type ParamsOf<Message> = Message extends { params: infer Params } ? Params : never;

/** The answer to a request. */
export type ResponseOf<Message> = Message extends { response: infer Response } ? Response : never;

/** A handler may return nothing if the answer may be empty. */
type Returned<Response> = object extends Response ? Response | void : Response;

/** The context of handlers of both sides. */
export type HandlerContext<Params> = {
  /** The method, also in a handler for all methods. */
  method: string;
  /** The parameters. */
  params: Params;
  /** Aborts when the request is cancelled or the connection ends. */
  signal: AbortSignal;
};

/** The additional field in handlers of requests. */
export type WithRequestId = {
  /** The id that the other side chose. */
  requestId: JsonRpcId;
};

/** A handler of each request, by method. */
export type RequestHandlers<Messages, Peer> = {
  [M in keyof Messages]: (
    context: HandlerContext<ParamsOf<Messages[M]>> & Peer & WithRequestId,
  ) => MaybePromise<Returned<ResponseOf<Messages[M]>>>;
};

/** A handler of each notification, by method. */
export type NotificationHandlers<Messages, Peer> = {
  [M in keyof Messages]: (context: HandlerContext<Messages[M]> & Peer) => MaybePromise<void>;
};
