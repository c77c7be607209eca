/** A notification of version 1 or 2. */
export interface UpdateNotification {
  readonly sessionId: string;
  readonly update: object;
}

/** Reads the updates of one session. */
interface UpdateReader {
  add(notification: UpdateNotification): void;
  /** Nothing more will come. */
  fail(error: unknown): void;
}

/** Passes the updates of sessions to those who read them one by one. */
export class SessionUpdates {
  readonly #readers = new Map<string, Set<UpdateReader>>();
  #end: { readonly error: unknown } | undefined;

  /** @returns removes the reader */
  attach(sessionId: string, reader: UpdateReader): () => void {
    if (this.#end) reader.fail(this.#end.error);
    const readers = this.#readers.get(sessionId) ?? new Set();
    this.#readers.set(sessionId, readers.add(reader));
    return () => {
      readers.delete(reader);
      if (readers.size === 0) this.#readers.delete(sessionId);
    };
  }

  deliver(notification: UpdateNotification): void {
    for (const reader of this.#readers.get(notification.sessionId) ?? []) reader.add(notification);
  }

  /** The connection has ended: readers that wait reject with the error. */
  end(error: unknown): void {
    this.#end = { error };
    for (const readers of this.#readers.values()) for (const reader of readers) reader.fail(error);
  }
}
