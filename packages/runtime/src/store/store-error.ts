/**
 * The reason why a store refused a call:
 * - `not-found`: the tenant has no session with this id
 * - `fenced`: another owner has claimed the session, or it was deleted; nothing was stored
 * - `elsewhere`: another node has the session, and runs; nothing was changed
 * - `invalid-input`: the caller's value cannot be used; nothing was stored
 * - `failed`: the engine failed, see `cause`
 */
export type StoreErrorCode = 'not-found' | 'fenced' | 'elsewhere' | 'invalid-input' | 'failed';

/** An error of a session store. Switch on `code`. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
