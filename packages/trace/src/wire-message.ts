/** What a frame is to those who only look at it. */
export interface WireMessage {
  readonly kind: 'request' | 'notification' | 'answer' | 'other';
  /** Of requests and notifications. */
  readonly method?: string | undefined;
  /** Of requests and answers, as the wire has it. */
  readonly id?: unknown;
  /** Whether an answer is an error. */
  readonly isError?: boolean | undefined;
}

/** Tells a request, a notification and an answer apart, as JSON-RPC 2.0 does; whatever else a peer says is `other`. */
export function wireMessage(frame: unknown): WireMessage {
  if (typeof frame !== 'object' || frame === null) return { kind: 'other' };
  const { method, id, error } = frame as { method?: unknown; id?: unknown; error?: unknown };
  if (typeof method === 'string')
    return id === undefined ? { kind: 'notification', method } : { kind: 'request', method, id };
  if (id === undefined || !('result' in frame || 'error' in frame)) return { kind: 'other' };
  return { kind: 'answer', id, isError: error !== undefined };
}

/** The id `1` and the id `"1"` are two. */
export function idKey(id: unknown): string {
  return JSON.stringify(id) ?? '';
}
