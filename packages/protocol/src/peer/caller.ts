import type { IncomingResponse } from '../json-rpc/envelope.ts';
import { notificationFrame, requestFrame } from '../json-rpc/frames.ts';
import { ProtocolError } from '../protocol-error.ts';
import { describe } from '../validation/problem.ts';
import { after } from './after.ts';
import { cancelled, invalidResponse, readWireError, timedOut, tooManyWait, unwritable } from './call-errors.ts';
import type { Introduction } from './handshake.ts';
import { onAbort } from './on-abort.ts';
import { admitOutgoing } from './outgoing-admission.ts';
import type { OutgoingMethod } from './method-table.ts';
import type { Parts } from './parts.ts';
import type { RawCalls, RequestOptions } from './peer-types.ts';
import { type PendingRequest, PendingRequests } from './pending-requests.ts';
import { sessionOf } from './session-of.ts';

const sent: Promise<void> = Promise.resolve();

/** The calling half of a peer: sends requests and notifications, and matches the answers. */
export class Caller {
  readonly #parts: Parts;
  readonly #pending: PendingRequests;
  #raw: RawCalls | undefined;
  /** Requests whose end is known and waits its turn. */
  #arrived: Set<PendingRequest> | undefined;
  /** Set once no answer can come any more. */
  #ended: Error | undefined;

  constructor(parts: Parts, firstId?: number) {
    this.#parts = parts;
    this.#pending = new PendingRequests(firstId);
  }

  request(name: string, params: unknown, options?: RequestOptions): Promise<unknown> {
    return this.#request(this.#parts.methods.outgoing(name, 'request'), params, options);
  }

  /** Calls by their names alone: nothing is checked or gated, and answers are handed over as they came. Made when it is first needed. */
  get raw(): RawCalls {
    const parts = this.#parts;
    return (this.#raw ??= {
      request: (name, params, options) => this.#request(parts.methods.raw(name, 'request'), params, options),
      notify: (name, params) => this.#notify(parts.methods.raw(name, 'notification'), params) ?? sent,
      notifyWritten: (name, text, sessionId) =>
        this.#notify(parts.methods.raw(name, 'notification'), undefined, sessionId, text),
    });
  }

  #request(method: OutgoingMethod, params: unknown, options: RequestOptions = {}): Promise<unknown> {
    const name = method.method;
    return new Promise((resolve, reject) => {
      admitOutgoing(method, params, this.#parts);
      const { outgoingRequests } = this.#parts.limits;
      if (this.#ended !== undefined) throw this.#ended;
      if (options.signal?.aborted) throw cancelled(name, options.signal);
      if (this.#pending.size >= outgoingRequests) throw tooManyWait(outgoingRequests);
      const frame = written(name, () => requestFrame(this.#pending.nextId, method.head, params));
      const pending = { method, params, resolve, reject };
      const id = this.#pending.add(pending);
      if (!method.isRaw) {
        if (name === 'initialize') this.#parts.handshake.begin(params as Introduction, pending);
        this.#parts.setup.sent(method, params);
      }
      if (options.signal !== undefined || options.timeout !== undefined) this.#bound(id, pending, options);
      void this.#parts.wire.send(frame, { kind: 'request', method: name, id, sessionId: sessionOf(params) });
    });
  }

  notify(name: string, params: unknown): Promise<void> {
    return this.#notify(this.#parts.methods.outgoing(name, 'notification'), params) ?? sent;
  }

  /** @param text the parameters, if they were written before: then `params` is undefined */
  // oxlint-disable-next-line max-params -- an object for each message costs more than a fourth parameter
  #notify(
    method: OutgoingMethod,
    params: unknown,
    sessionId = sessionOf(params),
    text?: string,
  ): Promise<void> | undefined {
    const name = method.method;
    try {
      admitOutgoing(method, params, this.#parts);
      const frame = written(name, () => notificationFrame(method.head, params, text));
      return this.#parts.wire.send(frame, { kind: 'notification', method: name, id: undefined, sessionId });
    } catch (error) {
      return unlessAwaited(error as Error);
    }
  }

  /** Takes an answer from the peer. */
  answer(response: IncomingResponse, size: number): void {
    const pending = this.#pending.take(response.id);
    if (pending === undefined)
      return this.#parts.journal.warning('warn', 'an answer without a waiting request', {
        direction: 'in',
        id: response.id,
      });
    this.#inOrder(pending, size, () => this.#settle(pending, response));
  }

  /** Rejects the request whose answer has neither a result nor an error. Returns false if none is pending. */
  refuseAnswer(id: unknown, reason: string): boolean {
    const pending = this.#pending.take(id);
    if (pending !== undefined)
      this.#inOrder(pending, 0, () => this.#reject(pending, invalidResponse(pending.method.method, reason)));
    return pending !== undefined;
  }

  /** Rejects all pending requests, each after the updates that came before the end, and all later ones. */
  failAll(error: Error): void {
    this.#ended ??= error;
    for (const pending of this.#pending.takeAll()) this.#inOrder(pending, 0, () => this.#reject(pending, error));
  }

  /** The connection is over: settles the requests that wait behind handlers. */
  settleAll(): void {
    for (const pending of this.#arrived ?? []) this.#settleArrived(pending);
  }

  /**
   * The answers that end a stream of updates wait behind the updates that came before them. Others do not: a handler
   * that holds its session's lane may be waiting for one.
   */
  #inOrder(pending: PendingRequest, size: number, settle: () => void): void {
    if (!pending.method.answersLast) return settle();
    const { lanes } = this.#parts;
    const session = sessionOf(pending.params);
    if (lanes.isFree(session)) return settle();
    pending.settle = settle;
    (this.#arrived ??= new Set()).add(pending);
    lanes.queue(session, size, () => this.#settleArrived(pending));
  }

  /** Settles a request once: when its turn comes, or when the caller gives up. */
  #settleArrived(pending: PendingRequest): undefined {
    if (this.#arrived?.delete(pending)) pending.settle?.();
  }

  #settle(pending: PendingRequest, { result, error }: IncomingResponse): void {
    const { method, results } = pending.method;
    pending.release?.();
    if (error !== undefined) {
      const wireError = readWireError(error);
      const { code, message, data } = this.#parts.dialect.error?.(wireError, method, pending.params) ?? wireError;
      return this.#reject(pending, new ProtocolError(code, message, data));
    }
    if (results === undefined) return pending.resolve(result);
    const filled = results.filled(result);
    if (results.fits(filled)) return this.#resolve(pending, filled);
    const received = results.repair(result, this.#parts.reading.context(pending.params));
    if (!received.ok) return this.#reject(pending, invalidResponse(method, received.reason));
    if (received.repaired.length > 0)
      this.#parts.journal.warning('warn', 'an answer was repaired', {
        direction: 'in',
        method,
        detail: describe(received.repaired),
      });
    this.#resolve(pending, received.values[0]);
  }

  #resolve(pending: PendingRequest, result: unknown): void {
    const { method } = pending.method;
    if (method === 'initialize') {
      const mismatch = this.#parts.handshake.complete(result as Introduction);
      if (mismatch !== undefined) {
        this.#reject(pending, mismatch);
        return void this.#parts.connection.close();
      }
    }
    this.#parts.setup.answered(pending.method, pending.params, result);
    pending.resolve(result);
  }

  #reject(pending: PendingRequest, error: Error): void {
    const { method, isRaw } = pending.method;
    pending.release?.();
    if (!isRaw && method === 'initialize') this.#parts.handshake.fail();
    if (!isRaw) this.#parts.setup.answered(pending.method, pending.params);
    pending.reject(pending.givingUp ?? error);
  }

  /** Bounds a wait by the caller's signal and timeout. */
  #bound(id: number, pending: PendingRequest, { signal, timeout }: RequestOptions): void {
    const { method } = pending.method;
    const timer =
      timeout === undefined ? undefined : after(timeout, () => this.#abandon(id, pending, timedOut(method, timeout)));
    const ignoreSignal = signal && onAbort(signal, () => this.#giveUp(id, pending, cancelled(method, signal)));
    pending.release = (): void => {
      clearTimeout(timer);
      ignoreSignal?.();
    };
  }

  /** Cancels the request at the peer, and waits a bounded time for its answer. */
  #giveUp(id: number, pending: PendingRequest, error: Error): void {
    if (this.#arrived?.has(pending)) return this.#settleArrived(pending);
    pending.givingUp = error;
    this.#askToStop(id, pending);
    const timer = after(this.#parts.limits.cancel, () => this.#take(id, error));
    const release = pending.release;
    pending.release = (): void => {
      clearTimeout(timer);
      release?.();
    };
  }

  /** Cancels the request at the peer, and does not wait for its answer. */
  #abandon(id: number, pending: PendingRequest, error: Error): void {
    if (this.#arrived?.has(pending)) return this.#settleArrived(pending);
    if (pending.givingUp === undefined) this.#askToStop(id, pending);
    this.#take(id, error);
  }

  #take(id: number, error: Error): void {
    const pending = this.#pending.take(id);
    if (pending !== undefined) this.#reject(pending, error);
  }

  #askToStop(requestId: number, { params }: PendingRequest): void {
    void this.#notify(
      this.#parts.methods.outgoing('$/cancel_request', 'notification'),
      { requestId },
      sessionOf(params),
    );
  }
}

/** A message that cannot be written as JSON fails alone. */
function written(method: string, write: () => string): string {
  try {
    return write();
  } catch (cause) {
    throw unwritable(method, cause as Error);
  }
}

/** A rejected promise that is never reported as unhandled. */
function unlessAwaited(error: Error): Promise<never> {
  const rejection = Promise.reject<never>(error);
  rejection.catch(() => undefined);
  return rejection;
}
