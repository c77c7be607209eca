import type { RequestId } from './json-rpc/request-id.ts';

/**
 * Facts about a frame. With them neither a transport that has one stream for each session nor a program that passes frames on has to parse
 * it again.
 */
export interface FrameAbout {
  readonly kind: 'request' | 'notification' | 'answer';
  /** The method. Of an answer, that of the request it answers; undefined if that could not be read. */
  readonly method: string | undefined;
  /** Undefined for notifications. */
  readonly id: RequestId | undefined;
  /** The session its parameters name. Of an answer, and of `$/cancel_request`, the session of the request. */
  readonly sessionId: string | undefined;
  /** The parsed frame, if the sender of the text has parsed it already. */
  readonly message?: unknown;
}

/** Bytes that a transport received and did not deliver as a frame, or a lost notification. They are reported and never end the connection. */
export interface TransportWarning {
  /**
   * - `noise`: bytes that are not a protocol frame, such as a log line on an agent's stdout
   * - `oversize`: a frame longer than the limit, skipped up to the next frame
   * - `truncated`: the peer went away in the middle of a frame
   * - `refused`: the answer of a server that did not accept a notification of this side
   */
  readonly kind: 'noise' | 'oversize' | 'truncated' | 'refused';
  /** Number of skipped bytes. 0 for a notification that was not even sent. */
  readonly bytes: number;
  /** The first few characters, for a user to recognise it by. May hold secrets: never sent to the peer. */
  readonly excerpt?: string;
}

/** The end of a transport that receives. {@link Transport.start} connects one. */
export interface FrameReceiver {
  /**
   * Takes one frame: the text of one JSON-RPC message, without its delimiter.
   * A returned promise asks the transport to deliver nothing more until it settles; it never rejects.
   * @param about facts that the transport has; with `about.message` the text is not parsed. Transports in memory have those of the sender,
   * an HTTP server has parsed the frame to route it, and all others pass `undefined`
   */
  frame(text: string, about?: FrameAbout): Promise<void> | undefined;
  /** Reports something that is not a frame. */
  warning(report: TransportWarning): void;
  /** Nothing more will arrive. Called once, last. Without a reason the peer ended its side in order. */
  end(reason?: Error): void;
}

/**
 * A pair of channels that carry frames in order. A frame is the text of one JSON-RPC message; a transport does not read it.
 */
export interface Transport extends AsyncDisposable {
  /** Begins delivery to the receiver. Called once, before anything else. Frames that arrived earlier are kept for it. */
  start(receiver: FrameReceiver): void;
  /**
   * Queues one frame for the wire. Frames queued in one tick may leave in one write.
   * Never throws and never rejects: once the wire is broken, frames are dropped and `receiver.end` says why.
   * @param about facts about the frame; a peer always passes them
   * @returns a promise under backpressure, which resolves when the wire takes frames again or is closed; otherwise nothing
   */
  send(frame: string, about?: FrameAbout): Promise<void> | undefined;
  /** Writes out what is queued, then ends the outgoing side. Resolves when that is done or cannot be. May be called again. */
  close(): Promise<void>;
}
