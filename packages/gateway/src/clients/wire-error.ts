import { errorCodes, type Handlers, ProtocolError, TurnwireError } from '@turnwire/protocol';
import { StoreError } from '../store/store-error.ts';

/** What a client is answered for an error. The messages of ours are meant for users; of any other error it gets none. */
function wireError(error: unknown): unknown {
  if (error instanceof TurnwireError)
    return new ProtocolError(errorCodes.internalError, error.message, { code: error.code });
  if (!(error instanceof StoreError)) return error;
  const { code, message } = error;
  if (code === 'not-found') return new ProtocolError(errorCodes.resourceNotFound, message);
  return new ProtocolError(code === 'invalid-input' ? errorCodes.invalidParams : errorCodes.internalError, message);
}

/** Handlers whose errors are answered as `wireError` has them. */
export function withWireErrors(handlers: Handlers<'agent'>): Handlers<'agent'> {
  const wrapped = Object.entries(handlers).map(([method, handler]) => {
    const handle = handler as (...parameters: readonly unknown[]) => unknown;
    return [
      method,
      async (...parameters: readonly unknown[]) => {
        try {
          return await handle(...parameters);
        } catch (error) {
          throw wireError(error);
        }
      },
    ];
  });
  return Object.fromEntries(wrapped) as Handlers<'agent'>;
}
