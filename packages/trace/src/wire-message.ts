/** The kind of a frame and its key fields. */
export interface WireMessage {
  readonly kind: 'request' | 'notification' | 'answer' | 'other';
  /** For requests and notifications. */
  readonly method?: string | undefined;
  /** For requests and answers, exactly as received. */
  readonly id?: unknown;
  /** Whether an answer is an error. */
  readonly isError?: boolean | undefined;
}

/** Distinguishes requests, notifications and answers as defined by JSON-RPC 2.0; everything else is `other`. */
export function wireMessage(frame: unknown): WireMessage {
  if (typeof frame !== 'object' || frame === null) return { kind: 'other' };
  const { method, id, error } = frame as { method?: unknown; id?: unknown; error?: unknown };
  if (typeof method === 'string')
    return id === undefined ? { kind: 'notification', method } : { kind: 'request', method, id };
  if (id === undefined || !('result' in frame || 'error' in frame)) return { kind: 'other' };
  return { kind: 'answer', id, isError: error !== undefined };
}

/** A map key for an id: `1` and `"1"` differ. */
export function idKey(id: unknown): string {
  return JSON.stringify(id) ?? '';
}
