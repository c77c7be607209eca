import type { UpdateQueue } from './update-queue.ts';

/** Passes the updates of sessions to those who read them one by one. */
export class SessionUpdates {
  readonly #queues = new Map<string, Set<UpdateQueue<unknown>>>();
  #end: { readonly error: unknown } | undefined;

  /** @returns removes the queue */
  attach(sessionId: string, queue: UpdateQueue<unknown>): () => void {
    if (this.#end) queue.fail(this.#end.error);
    const queues = this.#queues.get(sessionId) ?? new Set();
    this.#queues.set(sessionId, queues.add(queue));
    return () => {
      queues.delete(queue);
      if (queues.size === 0) this.#queues.delete(sessionId);
    };
  }

  deliver(notification: { readonly sessionId: string; readonly update: unknown }): void {
    const queues = this.#queues.get(notification.sessionId);
    if (queues === undefined) return;
    const message = { kind: 'session_update', notification, update: notification.update };
    for (const queue of queues) queue.add(message);
  }

  /** The connection has ended: readers that wait reject with the error. */
  end(error: unknown): void {
    this.#end = { error };
    for (const queues of this.#queues.values()) for (const queue of queues) queue.fail(error);
  }
}
