/** The error numbers the protocol defines (JSON-RPC 2.0 §5.1 and the ACP schema's `ErrorCode`). */
export const errorCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  requestCancelled: -32800,
  authenticationRequired: -32000,
  resourceNotFound: -32002,
} as const;

/**
 * An error that crosses the wire. A handler throws it to answer with an error, and a request rejects with it if the peer did so.
 */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
  /** One of {@link errorCodes}, or any other 32-bit integer a peer chose. */
  readonly code: number;
  /** Anything JSON can hold. Sent to the peer: never put a secret here. */
  readonly data?: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    if (data !== undefined) this.data = data;
  }
}

/** The parameters are wrong. The message names the path and the expected value. */
export function invalidParams(message: string, data?: unknown): ProtocolError {
  return new ProtocolError(errorCodes.invalidParams, message, data);
}

/** The method does not exist, or was not advertised. */
export function methodNotFound(method: string): ProtocolError {
  return new ProtocolError(errorCodes.methodNotFound, `Method not found: ${method}`, { method });
}

/** The session or file does not exist. */
export function resourceNotFound(message: string, data?: unknown): ProtocolError {
  return new ProtocolError(errorCodes.resourceNotFound, message, data);
}

/** The agent wants the user to log in first. */
export function authenticationRequired(message = 'Authentication required'): ProtocolError {
  return new ProtocolError(errorCodes.authenticationRequired, message);
}

/** The request was cancelled before it was done. */
export function requestCancelled(message = 'Request cancelled'): ProtocolError {
  return new ProtocolError(errorCodes.requestCancelled, message);
}
