/** What a transport noticed that is not a frame. It is reported and never ends the connection. */
export interface TransportTrouble {
  /**
   * - `noise`: bytes that are not a protocol frame, such as a log line on an agent's stdout
   * - `oversize`: a frame longer than the limit, skipped up to the next frame
   * - `truncated`: the peer went away in the middle of a frame
   */
  readonly kind: 'noise' | 'oversize' | 'truncated';
  /** Length of what was skipped, in bytes. */
  readonly bytes: number;
  /** The first few characters, for a person to recognise it by. May hold secrets: never sent to the peer. */
  readonly excerpt?: string;
}

/** The end of a transport that receives. {@link Transport.start} connects one. */
export interface FrameReceiver {
  /**
   * Takes one frame: the text of one JSON-RPC message, without its delimiter.
   * A returned promise asks the transport to deliver nothing more until it settles; it never rejects.
   */
  frame(text: string): Promise<void> | undefined;
  /** Takes note of something that is not a frame. */
  trouble(report: TransportTrouble): void;
  /** Nothing more will arrive. Called once, last. Without a reason the peer ended its side in order. */
  end(reason?: Error): void;
}

/**
 * A pair of channels that carry frames in order: the whole of what a connection needs of the world.
 * A frame is the text of one JSON-RPC message; what it means is the peer's business.
 */
export interface Transport extends AsyncDisposable {
  /** Begins delivery to the receiver. Called once, before anything else. Frames that arrived earlier are kept for it. */
  start(receiver: FrameReceiver): void;
  /**
   * Queues one frame for the wire. Frames queued in one tick may leave in one write.
   * Never throws and never rejects: once the wire is broken, frames are dropped and `receiver.end` says why.
   * @returns nothing while there is room; otherwise a promise that resolves when there is room again or the wire is gone
   */
  send(frame: string): Promise<void> | undefined;
  /** Writes out what is queued, then ends the outgoing side. Resolves when that is done or cannot be. May be called again. */
  close(): Promise<void>;
}
