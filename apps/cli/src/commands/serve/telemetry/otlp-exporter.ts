import type { Span } from './span.ts';

/** The target of spans, and the service that sends them. */
export interface OtlpEndpoint {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The name of the sending service. */
  readonly service: string;
  readonly version: string;
}

/** The interval between requests, in milliseconds. */
const interval = 5_000;
/** The maximum number of spans per request. */
const batch = 512;
/** The maximum number of queued spans. Beyond it the oldest are dropped, because an unreachable collector must not use memory. */
const mostWaiting = 4_096;
/** How long a collector may take to answer, in milliseconds. */
const exportTimeout = 10_000;

/** Sends spans to an OpenTelemetry collector: OTLP over HTTP, as JSON. */
export class OtlpExporter {
  readonly #endpoint: OtlpEndpoint;
  readonly #warn: (message: string) => void;
  readonly #waiting: Span[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #sending: Promise<void> = Promise.resolve();
  #hasWarned = false;

  /** @param warn called when spans are lost, and not again until a request succeeds */
  constructor(endpoint: OtlpEndpoint, warn: (message: string) => void) {
    this.#endpoint = endpoint;
    this.#warn = warn;
  }

  add(span: Span): void {
    this.#waiting.push(span);
    if (this.#waiting.length > mostWaiting) this.#waiting.shift();
    this.#timer ??= setTimeout(() => this.#flush(), interval).unref();
  }

  /** Resolves when the queued spans have been sent or lost. */
  async close(): Promise<void> {
    this.#flush();
    await this.#sending;
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#sending = this.#sending.then(() => this.#sendAll());
  }

  async #sendAll(): Promise<void> {
    while (this.#waiting.length > 0) await this.#send(this.#waiting.splice(0, batch));
  }

  async #send(spans: readonly Span[]): Promise<void> {
    const { url, headers } = this.#endpoint;
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(this.#request(spans)),
        signal: AbortSignal.timeout(exportTimeout),
      });
      await response.body?.cancel();
      if (!response.ok) throw new Error(`the collector answered ${response.status}`);
      this.#hasWarned = false;
    } catch (error) {
      if (!this.#hasWarned) this.#warn(`spans are lost: ${(error as Error).message}`);
      this.#hasWarned = true;
    }
  }

  #request(spans: readonly Span[]): object {
    const { service, version } = this.#endpoint;
    return {
      resourceSpans: [
        {
          resource: { attributes: attributesOf({ 'service.name': service, 'service.version': version }) },
          scopeSpans: [{ scope: { name: 'turnwire', version }, spans: spans.map(spanOf) }],
        },
      ],
    };
  }
}

function spanOf({ traceId, spanId, parentId, name, from, to, attributes, failure }: Span): object {
  return {
    traceId,
    spanId,
    ...(parentId !== undefined && { parentSpanId: parentId }),
    name,
    // INTERNAL: an operation within this process.
    kind: 1,
    startTimeUnixNano: nanoseconds(from),
    endTimeUnixNano: nanoseconds(to),
    attributes: attributesOf(attributes),
    ...(failure !== undefined && { status: { code: 2, message: failure } }),
  };
}

/** Nanoseconds as a string, because JSON has no 64-bit integers. */
function nanoseconds(milliseconds: number): string {
  return `${Math.round(milliseconds)}000000`;
}

function attributesOf(attributes: Span['attributes']): readonly object[] {
  return Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'boolean' ? { boolValue: value } : { stringValue: value },
  }));
}
