import { TurnwireError } from '@turnwire/protocol';

/** The stream was destroyed without an error of its own, for example because its process is gone. */
export function isPrematureClose(error: Error): boolean {
  return 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
}

/** What a stream is destroyed with here that has no error of its own. */
export function prematureClose(): Error {
  return Object.assign(new Error('the stream was closed before its end'), { code: 'ERR_STREAM_PREMATURE_CLOSE' });
}

/** Says which way the wire broke. */
export function streamFailure(what: string, cause: Error): TurnwireError {
  const why = isPrematureClose(cause) ? 'the stream was closed before its end' : cause.message;
  return new TurnwireError('connection-closed', `${what}: ${why}`, { cause });
}
