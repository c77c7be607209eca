/** The id of a request. */
export type JsonRpcId = string | number | null;

/** A value, or a promise of it. */
export type MaybePromise<Value> = Value | Promise<Value>;

/** An error as it is sent. */
export type ErrorResponse = { code: number; message: string; data?: unknown };

/** The end of a request: with a result, or with an error. */
export type Result<Value> = { result: Value } | { error: ErrorResponse };

/** A request as it is sent. */
export type AnyRequest = { jsonrpc: '2.0'; id: JsonRpcId; method: string; params?: unknown };

/** An answer as it is sent. */
export type AnyResponse = { jsonrpc: '2.0'; id: JsonRpcId } & Result<unknown>;

/** A notification as it is sent. */
export type AnyNotification = { jsonrpc: '2.0'; method: string; params?: unknown };

/** A message as it is sent. */
export type AnyMessage = AnyRequest | AnyResponse | AnyNotification;

/** Options of one request. */
export type SendRequestOptions = {
  /** Aborting sends `$/cancel_request`. The promise stays pending until the other side answers. */
  cancellationSignal?: AbortSignal;
  /** Reject at once when the signal aborts. A late answer is ignored. */
  stopWaitingOnCancel?: boolean;
};
