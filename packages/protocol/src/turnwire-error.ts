/**
 * The cause of an error on this side of the wire:
 * - `connection-closed`: the connection ended, or had ended, before the call was answered
 * - `not-authorized`: the server of an agent on another machine refused what this side authorized itself with
 * - `timeout`: no answer within the caller's limit
 * - `cancelled`: the caller's signal aborted the call
 * - `busy`: a turn of the session runs; nothing was sent
 * - `not-advertised`: the peer did not advertise the capability the call needs; nothing was sent
 * - `not-initialized`: the call came before `initialize` was answered; nothing was sent
 * - `version-mismatch`: no protocol version both sides speak; the connection was closed
 * - `invalid-message`: the message to send does not fit the schema, or cannot be written as JSON; nothing was sent
 * - `invalid-response`: the peer's answer does not fit the schema
 * - `limit-exceeded`: a limit of this side was reached
 * - `launch-failed`: an agent's command could not be started
 * - `invalid-input`: a file, a setting or a value the caller gave cannot be used; nothing was sent
 */
export type TurnwireErrorCode =
  | 'connection-closed'
  | 'not-authorized'
  | 'timeout'
  | 'cancelled'
  | 'busy'
  | 'not-advertised'
  | 'not-initialized'
  | 'version-mismatch'
  | 'invalid-message'
  | 'invalid-response'
  | 'limit-exceeded'
  | 'launch-failed'
  | 'invalid-input';

/** An error that never crosses the wire. Switch on `code`; the message says what happened and what to do. */
export class TurnwireError extends Error {
  override readonly name = 'TurnwireError';
  readonly code: TurnwireErrorCode;

  constructor(code: TurnwireErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
