import type { ErrorResponse, Result } from './messages.ts';

/** An error with a JSON-RPC code. A handler throws it to answer with an error; a request rejects with it if the other side did so. */
export class RequestError extends Error {
  override name = 'RequestError';
  code: number;
  data?: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }

  /** The text is not JSON. */
  static parseError(data?: unknown, additionalMessage?: string): RequestError {
    return new RequestError(-32700, withDetail('Parse error', additionalMessage), data);
  }

  /** The JSON is not a valid request, or it came at the wrong time. */
  static invalidRequest(data?: unknown, additionalMessage?: string): RequestError {
    return new RequestError(-32600, withDetail('Invalid request', additionalMessage), data);
  }

  /** The method does not exist. */
  static methodNotFound(method: string): RequestError {
    return new RequestError(-32601, `"Method not found": ${method}`, { method });
  }

  /** The parameters do not fit the method. */
  static invalidParams(data?: unknown, additionalMessage?: string): RequestError {
    return new RequestError(-32602, withDetail('Invalid params', additionalMessage), data);
  }

  /** The handler failed. */
  static internalError(data?: unknown, additionalMessage?: string): RequestError {
    return new RequestError(-32603, withDetail('Internal error', additionalMessage), data);
  }

  /** The request was cancelled. */
  static requestCancelled(data?: unknown, additionalMessage?: string): RequestError {
    return new RequestError(-32800, withDetail('Request cancelled', additionalMessage), data);
  }

  /** The user has to log in first. */
  static authRequired(data?: unknown, additionalMessage?: string): RequestError {
    return new RequestError(-32000, withDetail('Authentication required', additionalMessage), data);
  }

  /** A file or another resource does not exist. */
  static resourceNotFound(uri?: string): RequestError {
    return new RequestError(-32002, withDetail('Resource not found', uri), uri && { uri });
  }

  /** The session does not exist, or is not active on this connection. */
  static sessionNotFound(sessionId: string): RequestError {
    return new RequestError(-32002, 'Resource not found', { sessionId });
  }

  /** All versions of the agent are newer than the requested one. */
  static unsupportedProtocolVersion(requested: number, supported: readonly number[]): RequestError {
    return new RequestError(-32022, 'Unsupported protocol version', { requested, supported: [...supported] });
  }

  /** The error as the end of a request. */
  toResult<Value>(): Result<Value> {
    return { error: this.toErrorResponse() };
  }

  /** The error as it is sent. */
  toErrorResponse(): ErrorResponse {
    return { code: this.code, message: this.message, data: this.data };
  }
}

function withDetail(text: string, detail?: string): string {
  return detail ? `${text}: ${detail}` : text;
}
