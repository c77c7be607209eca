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
  /**
   * Called when the answer is a result: after everything that the agent sent before it has been handled, and before everything after it.
   */
  readonly onAnswer?: (() => void) | undefined;
}

/** Makes a call; if the agent requires a login first, logs in and repeats the call, if allowed. */
export type LoginRetry = <Value>(attempt: () => Promise<Value>, mayRetry?: () => boolean) => Promise<Value>;

/**
 * The calls that sessions make on a peer, which must be set before the first one. Their errors name the reason why the connection ended, and
 * contain advice.
 */
export class PeerConnection {
  peer!: Peer<'client'>;

  request<M extends RequestMethod<'agent'>>(
    method: M,
    params: Params<M>,
    options: CallOptions = {},
  ): Promise<Result<M>> {
    const { onAnswer } = options;
    const answer = this.peer.request(method, params, options);
    if (onAnswer) void answer.then(onAnswer, () => undefined);
    return answer.catch((error: unknown) => rethrow(error, method, options));
  }

  notify<M extends NotificationMethod<'agent'>>(method: M, params: Params<M>): Promise<void> {
    return this.peer.notify(method, params);
  }
}

function rethrow(error: unknown, method: string, options: RequestOptions): never {
  if (!(error instanceof TurnwireError)) throw error;
  // The transport has the better reason: how the process ended, and its stderr.
  if (error.code === 'connection-closed' && error.cause instanceof TurnwireError) throw error.cause;
  throw error.code === 'timeout' ? timeoutError(method, options.timeout ?? 0, error) : error;
}

/** A process that does not answer `initialize` is reported by its launcher, with its output. */
function timeoutError(method: string, limit: number, cause: TurnwireError): TurnwireError {
  if (method === 'initialize') return cause;
  const advice = 'try again with a longer limit, or close the agent and start it again';
  return new TurnwireError('timeout', `The agent did not answer ${method} within ${limit / 1000} s; ${advice}`, {
    cause,
  });
}
