import {
  TurnwireError,
  type NotificationMethod,
  type Params,
  type Peer,
  type RequestMethod,
  type RequestOptions,
  type Result,
} from '@turnwire/protocol';

/** Options of one call. */
export interface CallOptions extends RequestOptions {
  /** Called when the answer is a result: after everything the agent sent before it, and before everything it sent after it, was handled. */
  readonly onAnswer?: (() => void) | undefined;
}

/** What sessions need of the wire: calls whose errors say why the connection ended, not only that it did, and what to do. */
export interface Connection {
  request<M extends RequestMethod<'agent'>>(method: M, params: Params<M>, options?: CallOptions): Promise<Result<M>>;
  notify<M extends NotificationMethod<'agent'>>(method: M, params: Params<M>): Promise<void>;
}

/** Calls; if the agent wants a login first, logs in and calls once more, if that may be done. */
export type LoginRetry = <Value>(attempt: () => Promise<Value>, mayRetry?: () => boolean) => Promise<Value>;

/** Calls on a peer. */
export function connectionOn(peer: Peer<'client'>): Connection {
  return {
    request: (method, params, { onAnswer, ...options } = {}) => {
      const answer = peer.request(method, params, options);
      if (onAnswer) void answer.then(onAnswer, () => undefined);
      return answer.catch((error: unknown) => rethrow(error, method, options));
    },
    notify: (method, params) => peer.notify(method, params),
  };
}

function rethrow(error: unknown, method: string, options: RequestOptions): never {
  if (!(error instanceof TurnwireError)) throw error;
  // The transport knows best what ended it: how the process did, and its last words.
  if (error.code === 'connection-closed' && error.cause instanceof TurnwireError) throw error.cause;
  throw error.code === 'timeout' ? tooLate(method, options.timeout ?? 0, error) : error;
}

/** A process that does not answer `initialize` is explained by whoever started it, with what it printed. */
function tooLate(method: string, limit: number, cause: TurnwireError): TurnwireError {
  if (method === 'initialize') return cause;
  const advice = 'try again with a longer limit, or close the agent and start it again';
  return new TurnwireError('timeout', `The agent did not answer ${method} within ${limit / 1000} s; ${advice}`, {
    cause,
  });
}
