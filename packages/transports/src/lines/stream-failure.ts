import { TurnwireError } from '@turnwire/protocol';

/** Whether the stream was destroyed without an error of its own, for example because its process is gone. */
export function isPrematureClose(error: Error): boolean {
  return 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
}

/** An error to destroy a stream with when there is no other. */
export function prematureClose(): Error {
  return Object.assign(new Error('the stream was closed before its end'), { code: 'ERR_STREAM_PREMATURE_CLOSE' });
}

/** The error for a broken stream. `what`: the operation that failed. */
export function streamFailure(what: string, cause: Error): TurnwireError {
  const why = isPrematureClose(cause) ? 'the stream was closed before its end' : cause.message;
  return new TurnwireError('connection-closed', `${what}: ${why}`, { cause });
}
