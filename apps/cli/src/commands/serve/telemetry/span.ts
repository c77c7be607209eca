import { randomBytes } from 'node:crypto';

/** The attributes of a span. */
export type SpanAttributes = Readonly<Record<string, string | boolean>>;

/** The parent of a span. */
export interface SpanParent {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
}

/** A finished operation. */
export interface Span extends SpanParent {
  readonly parentId: string | undefined;
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
  readonly attributes: SpanAttributes;
  /** The reason of a failure; undefined if it succeeded. */
  readonly failure: string | undefined;
}

/** An operation in progress. */
export type BegunSpan = Omit<Span, 'to' | 'failure'>;

/** Begins a span under its parent, or in a new trace. */
export function begun(
  name: string,
  { from, parent, attributes }: { from: number; parent?: SpanParent | undefined; attributes: SpanAttributes },
): BegunSpan {
  return {
    traceId: parent?.traceId ?? randomBytes(16).toString('hex'),
    spanId: randomBytes(8).toString('hex'),
    parentId: parent?.spanId,
    name,
    from,
    attributes,
  };
}

/** The parent in a `traceparent` of W3C Trace Context; undefined if it is invalid, `unsampled` if the sender does not want it recorded. */
export function parentIn(traceparent: unknown): SpanParent | undefined | 'unsampled' {
  const parts = /^[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})/.exec(String(traceparent));
  if (parts === null) return undefined;
  const [, traceId = '', spanId = '', flags = ''] = parts;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return Number.parseInt(flags, 16) % 2 === 1 ? { traceId, spanId } : 'unsampled';
}
