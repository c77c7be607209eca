/** The limits of a connection. Exceeding one causes a clear error, never unbounded memory. */
export interface Limits {
  /** Nesting depth of a received message's JSON. Default 256. */
  readonly depth: number;
  /** Length of a received string id, and of a method's name, in UTF-16 units. Default 1,024. */
  readonly idLength: number;
  /** Requests of the peer being handled at once; one more is answered with an error. Default 10,000. */
  readonly incomingRequests: number;
  /** Own requests waiting for an answer; one more rejects with `limit-exceeded`. Default 100,000. */
  readonly outgoingRequests: number;
  /** Received text waiting for slow handlers before reading pauses, in UTF-16 units. Default 16 Mi. */
  readonly heldText: number;
  /**
   * Received text waiting for slow handlers at which the connection is closed, in UTF-16 units. Also the size of all running requests
   * beyond which the next one is answered with an error. Default 256 Mi.
   */
  readonly heldTextHard: number;
  /** After the peer ended its side: how long running handlers may still answer, in milliseconds. Default 2,000. */
  readonly drain: number;
  /** After `$/cancel_request`: how long to wait for the peer's answer, in milliseconds. Default 5,000. */
  readonly cancel: number;
}

/** The limits of a peer without options for them. */
export const defaultLimits: Limits = {
  depth: 256,
  idLength: 1024,
  incomingRequests: 10_000,
  outgoingRequests: 100_000,
  heldText: 16 * 1024 * 1024,
  heldTextHard: 256 * 1024 * 1024,
  drain: 2_000,
  cancel: 5_000,
};
