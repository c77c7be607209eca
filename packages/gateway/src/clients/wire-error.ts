import { errorCodes, ProtocolError, TurnwireError, type TurnwireErrorCode } from '@turnwire/protocol';
import { StoreError } from '@turnwire/runtime';

/** The error to send to a client. Our own messages are meant for users; those of other errors are not sent. */
function wireError(error: unknown): unknown {
  if (error instanceof TurnwireError)
    return new ProtocolError(errorCodes.internalError, error.message, { turnwire: { code: error.code } });
  if (!(error instanceof StoreError)) return error;
  const { code, message } = error;
  if (code === 'not-found') return new ProtocolError(errorCodes.resourceNotFound, message);
  return new ProtocolError(code === 'invalid-input' ? errorCodes.invalidParams : errorCodes.internalError, message);
}

/**
 * Restores an error that a gateway sent: a {@link TurnwireError} about the agent, such as `launch-failed` or `connection-closed`, crosses the wire as
 * a ProtocolError with its code in the data. Any other error is returned unchanged.
 */
export function gatewayError(error: unknown): unknown {
  if (!(error instanceof ProtocolError)) return error;
  const code = (error.data as { readonly turnwire?: { readonly code?: unknown } } | null | undefined)?.turnwire?.code;
  if (typeof code !== 'string') return error;
  return new TurnwireError(code as TurnwireErrorCode, error.message, { cause: error });
}

/** Handlers whose errors are converted by `wireError`. */
export function withWireErrors<H extends object>(handlers: H): H {
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
  return Object.fromEntries(wrapped) as H;
}
