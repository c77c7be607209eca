import type { Edition, HandlerContext, RequestContext } from '@turnwire/protocol';
import { errorToSend, named } from '../json-rpc/conversions.ts';
import { RequestError } from '../json-rpc/request-error.ts';
import type { Connection } from './connection.ts';
import { withKnownFields } from './known-fields.ts';
import { parsed, type Registrations } from './registrations.ts';
import { report } from '../json-rpc/report.ts';

/** Makes the handlers of one connection from those of its app. */
export interface HandlerParts {
  readonly registrations: Registrations;
  /** The field of a handler's context that calls the other side: `client` or `agent`. */
  readonly peerField: 'agent' | 'client';
  readonly makePeer: (connection: Connection, requestId?: string | number | null) => unknown;
  /** Called before the handler of a notification. False: it is dropped. */
  readonly admitNotification?: (connection: Connection, method: string, params: unknown) => boolean;
  /** Refuse requests before `initialize` was answered. */
  readonly isGated: boolean;
  /** The methods of the protocol. */
  readonly edition: Edition;
  /** Remove fields that the protocol does not have from parameters. */
  readonly strip?: boolean | undefined;
}

type PeerHandler = (params: unknown, context: HandlerContext & Partial<RequestContext>) => unknown;

/** The handlers of our peer for a connection. */
export function peerHandlers(parts: HandlerParts, connection: Connection): Readonly<Record<string, PeerHandler>> {
  const peerOfConnection = parts.makePeer(connection);
  const handle: PeerHandler = (params, context) =>
    context.requestId === undefined
      ? notified(parts, { connection, peer: peerOfConnection, method: context.method, params })
      : requested(parts, connection, { params, context: context as RequestContext });
  return Object.fromEntries([...parts.registrations.names, 'session/update', '*'].map((method) => [method, handle]));
}

interface Request {
  readonly params: unknown;
  readonly context: RequestContext;
}

function requested(parts: HandlerParts, connection: Connection, { params, context }: Request): unknown {
  const { method, requestId } = context;
  const isCancelled = (): boolean => connection.signal.aborted || context.signal.aborted;
  const fail = (error: unknown): never => {
    throw errorToSend(error, isCancelled());
  };
  const succeed = (result: unknown): unknown => {
    return method === 'initialize' ? connection.initialization.complete(params, result) : result;
  };
  try {
    if (parts.isGated && method !== 'initialize' && !connection.initialization.isComplete)
      throw RequestError.invalidRequest(undefined, `ACP connection must be initialized before '${method}'`);
    const registered = parts.registrations.request(method);
    if (registered === undefined) throw RequestError.methodNotFound(method);
    const returned = registered.handler({
      method,
      params: parsed(registered, received(parts, method, params)),
      requestId,
      // Made only for handlers that ask for it.
      get signal() {
        return context.signal;
      },
      [parts.peerField]: parts.makePeer(connection, requestId),
    } as never);
    return returned instanceof Promise ? returned.then(succeed).catch(fail) : succeed(returned);
  } catch (error) {
    return fail(error);
  }
}

interface Notification {
  readonly connection: Connection;
  readonly peer: unknown;
  readonly method: string;
  readonly params: unknown;
}

/** Handlers of notifications run at the same time: nothing waits for them. */
function notified(parts: HandlerParts, { connection, peer, method, params }: Notification): void {
  if (parts.admitNotification?.(connection, method, params) === false) return;
  const fail = (error: unknown): void => {
    const { code, message } = named(error);
    report('Error handling notification', { method, code, message });
  };
  for (const registered of parts.registrations.handlersOf(method)) {
    try {
      const { signal } = connection;
      const context = {
        method,
        params: parsed(registered, received(parts, method, params)),
        signal,
        [parts.peerField]: peer,
      };
      const returned = registered.handler(context as never);
      if (returned instanceof Promise) returned.catch(fail);
    } catch (error) {
      fail(error);
    }
  }
}

/** The parameters of a method of the protocol, without other fields if the program wants that. */
function received({ edition, strip = false }: HandlerParts, method: string, params: unknown): unknown {
  const name = strip && Object.hasOwn(edition.methods, method) ? edition.methods[method]?.params : undefined;
  return name === undefined ? params : withKnownFields(name, params, edition);
}
