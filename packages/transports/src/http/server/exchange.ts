import type { EndpointRequest } from '../../endpoint/endpoint-rules.ts';

/** An HTTP request and its answer, independent of the kind of server. */
export interface Exchange {
  /** The head of the request. */
  readonly request: EndpointRequest;
  /**
   * Passes on the chunks of the body. Resolves at its end, or when `take` returns false, which leaves the rest unread. Rejects if the client
   * disconnects before.
   */
  read(take: (chunk: Uint8Array) => boolean): Promise<void>;
  /** Answers with a text. Called once. */
  answer(status: number, headers: Readonly<Record<string, string>>, text: string): void;
  /** Answers with an event stream. */
  stream(watch: EventSinkWatch): EventSink;
  /** Calls back if the client disconnects before it has an answer. */
  onLeft(action: () => void): void;
}

/** The destination of an event stream. */
export interface EventSink {
  /** Text that the client has not read yet, in bytes or UTF-16 units. */
  readonly waiting: number;
  /** Returns false when no more should be written until `drained`. */
  write(text: string): boolean;
  /** Ends the stream after everything written. */
  end(): void;
  /** Ends the stream at once. */
  destroy(): void;
}

/** Receives the events of a sink. */
export interface EventSinkWatch {
  readonly drained: () => void;
  /** The client has closed the stream, or it was ended. */
  readonly closed: () => void;
}
