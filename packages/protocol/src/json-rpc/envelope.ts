import { isRequestId, type RequestId } from './request-id.ts';
import { isObject, type JsonObject } from './json-object.ts';

export interface IncomingRequest {
  readonly kind: 'request';
  readonly id: RequestId;
  readonly method: string;
  readonly params: unknown;
}

export interface IncomingNotification {
  readonly kind: 'notification';
  readonly method: string;
  readonly params: unknown;
}

export interface IncomingResponse {
  readonly kind: 'response';
  readonly id: RequestId;
  readonly result: unknown;
  readonly error: unknown;
}

/** Text that resembles a message but is malformed, with the id for an answer: null if the id cannot be trusted. */
export interface Malformed {
  readonly kind: 'malformed';
  readonly id: RequestId;
  /** The message it resembles most. Both sides answer a malformed request; a malformed notification is never answered. */
  readonly like: 'request' | 'notification' | 'answer';
  readonly reason: string;
}

export type Envelope = IncomingRequest | IncomingNotification | IncomingResponse | Malformed;

/**
 * Distinguishes requests, notifications and answers (JSON-RPC 2.0 §4, §5). A missing `jsonrpc` member is
 * forgiven, because nothing else a peer could mean is lost by it; another version is not.
 */
export function readEnvelope(value: unknown): Envelope {
  if (Array.isArray(value))
    return malformed(null, 'request', 'JSON-RPC batches are not supported: send one message per line');
  if (!isObject(value)) return malformed(null, 'answer', 'expected a JSON object');
  const { jsonrpc, id, method, params } = value;
  if (jsonrpc !== '2.0' && jsonrpc !== undefined)
    return malformed(idOrNull(id), likeness(id, method), 'jsonrpc must be "2.0"');
  if (id !== undefined && !isRequestId(id))
    return malformed(null, likeness(id, method), 'id must be a string, null or a number of at most 53 bits');
  if (method !== undefined) {
    if (typeof method !== 'string') return malformed(id ?? null, 'request', 'method must be a string');
    return id === undefined ? { kind: 'notification', method, params } : { kind: 'request', id, method, params };
  }
  return readAnswer(id, value);
}

function readAnswer(id: RequestId | undefined, { result, error }: JsonObject): Envelope {
  const failed = error !== undefined && error !== null;
  if (id === undefined || (result === undefined && !failed))
    return malformed(id ?? null, 'answer', 'expected a method, or an id with a result or an error');
  return { kind: 'response', id, result, error: failed ? error : undefined };
}

/** A message that is refused without reading its content: the parts that the error answer needs. */
export function refused(envelope: Envelope, reason: string): Malformed {
  if (envelope.kind === 'malformed') return envelope;
  if (envelope.kind === 'notification') return malformed(null, 'notification', reason);
  return malformed(envelope.id, envelope.kind === 'request' ? 'request' : 'answer', reason);
}

function malformed(id: RequestId, like: Malformed['like'], reason: string): Malformed {
  return { kind: 'malformed', id, like, reason };
}

function likeness(id: unknown, method: unknown): Malformed['like'] {
  if (method === undefined) return 'answer';
  return id === undefined && typeof method === 'string' ? 'notification' : 'request';
}

function idOrNull(id: unknown): RequestId {
  return isRequestId(id) ? id : null;
}
