import type { EndpointRequest } from '../../endpoint/endpoint-rules.ts';

/** One HTTP request and what it is answered with, whatever server it came from. */
export interface Exchange {
  /** The head of the request. */
  readonly request: EndpointRequest;
  /** The pieces of the body. What is left when the loop is left is not read. */
  body(): AsyncIterable<Uint8Array>;
  /** Answers with a whole text. Not called again. */
  answer(status: number, headers: Readonly<Record<string, string>>, text: string): void;
  /** Answers with a stream of events. */
  stream(watch: EventSinkWatch): EventSink;
  /** Calls back if the client leaves before it is answered. */
  onLeft(action: () => void): void;
}

/** Where the text of an event stream goes. */
export interface EventSink {
  /** What the client has yet to read, in bytes or UTF-16 units. */
  readonly waiting: number;
  /** False: there is no room for more, until `drained` is called. */
  write(text: string): boolean;
  /** Ends the stream behind what was written. */
  end(): void;
  /** Ends it at once. */
  destroy(): void;
}

/** What a stream reports. */
export interface EventSinkWatch {
  readonly drained: () => void;
  /** The client has closed it, or it was ended. */
  readonly closed: () => void;
}
