import type { IncomingNotification, IncomingRequest } from '../json-rpc/envelope.ts';
import { resultFrame } from '../json-rpc/frames.ts';
import { errorCodes, ProtocolError, requestCancelled } from '../protocol-error.ts';
import type { FrameAbout } from '../transport.ts';
import { deepFreeze } from './deep-freeze.ts';
import type { Entry } from './entry.ts';
import type { Introduction } from './handshake.ts';
import { IncomingAdmission } from './incoming-admission.ts';
import { IncomingContext, IncomingRequests } from './incoming-requests.ts';
import { whyInvalid } from './outgoing-admission.ts';
import type { Parts } from './parts.ts';
import type { Peer } from './peer-types.ts';
import type { RequestId } from '../json-rpc/request-id.ts';
import { sessionOf } from './session-of.ts';
import { aboutAnswer } from './wire.ts';

/** Arguments of a dispatcher. */
export interface DispatcherOptions {
  readonly peer: Peer;
  readonly freeze: boolean;
}

/** The answering half of a peer: passes messages to their handlers in order, and sends the answers. */
export class Dispatcher {
  readonly #parts: Parts;
  readonly #peer: Peer;
  readonly #freeze: boolean;
  /** Requests of the peer whose handlers are running. */
  readonly running: IncomingRequests = new IncomingRequests();
  readonly #admission: IncomingAdmission;
  /** Of the last message: most resemble the one before, and the handler is looked up once. */
  #last: Entry | undefined;

  constructor(parts: Parts, { peer, freeze }: DispatcherOptions) {
    this.#parts = parts;
    this.#admission = new IncomingAdmission(parts, this.running);
    this.#peer = peer;
    this.#freeze = freeze;
  }

  /** Passes a request to its handler, or answers with an error. */
  request(received: IncomingRequest, size: number): void {
    const { method, id } = received;
    try {
      const request = this.#parts.handshake.admit(received);
      if (request === undefined) return;
      const entry = this.#entryOf(method);
      const params = this.#admission.request(request, entry, size);
      this.#last = entry;
      this.#start(entry as Entry, { id, params }, size);
    } catch (error) {
      this.#sendFailure(this.#failure(method, error), aboutAnswer(id, method, sessionOf(received.params)));
    }
  }

  /** Passes a notification to its handler. One that cannot be handled is dropped and reported, never answered. */
  notification({ method, params }: IncomingNotification, size: number): void {
    if (method === '$/cancel_request') {
      const requestId = (params as { readonly requestId?: unknown } | null | undefined)?.requestId;
      return this.running.abort(requestId as RequestId);
    }
    const entry = this.#entryOf(method);
    const refusal = this.#admission.refuseNotification(method, entry);
    if (refusal !== undefined) return this.#admission.reportDropped(method, refusal, entry ? 'warn' : 'info');
    this.#last = entry;
    const given = params ?? {};
    const known = entry as Entry;
    if (known.params?.fits(given) !== false) return this.#deliver(known, given, size);
    for (const value of this.#admission.notification(known, given)) this.#deliver(known, value, size);
  }

  #entryOf(method: string): Entry | undefined {
    const { side, methods } = this.#parts;
    if (this.#last?.method === method && this.#last.methods === methods) return this.#last;
    const handler = this.#handlerOf(method) ?? this.#handlerOf('*');
    if (!handler) return undefined;
    const known = methods.rows.get(method);
    // A method that the other side handles has no type here: its parameters are not checked.
    const row = known?.side === side || known?.side === 'both' ? known : undefined;
    const params = row && methods.paramsOf(row);
    return { method, methods, row, params, handler, context: { peer: this.#peer, method } };
  }

  /**
   * The handlers may be an instance of a class. Only methods of the protocol are looked up in its prototype; other names must be its own
   * properties.
   */
  #handlerOf(method: string): Entry['handler'] | undefined {
    const { handlers, methods } = this.#parts;
    const isLookedFor = methods.rows.has(method) || Object.hasOwn(handlers, method);
    const handler = isLookedFor ? handlers[method] : undefined;
    return typeof handler === 'function' ? (handler as Entry['handler']) : undefined;
  }

  /** Calls the handler now, or after the messages that wait in the session's lane. */
  #deliver(entry: Entry, params: unknown, size: number): void {
    const { lanes, setup } = this.#parts;
    if (entry.method === 'session/update') setup.arrived(params);
    const session = setup.laneOf(sessionOf(params));
    setup.holdIfEarly(session);
    if (!lanes.isFree(session)) {
      lanes.queue(session, size, () => this.#notify(entry, params));
      // A cancel applies to the running turn and to queued messages: it is delivered now and again in its turn.
      if (entry.method === 'session/cancel') void this.#notify(entry, params);
      return;
    }
    const handling = this.#notify(entry, params);
    if (handling !== undefined && entry.method !== 'session/cancel') lanes.occupy(session, handling);
  }

  #notify(entry: Entry, params: unknown): Promise<void> | undefined {
    if (this.#freeze) deepFreeze(params);
    try {
      const returned = entry.handler.call(this.#parts.handlers, params, entry.context);
      return isPromise(returned)
        ? returned.then(ignore, (error: unknown) => this.#reportThrown(entry.method, error))
        : undefined;
    } catch (error) {
      this.#reportThrown(entry.method, error);
      return undefined;
    }
  }

  #start(entry: Entry, { id, params }: { readonly id: RequestId; readonly params: unknown }, size: number): void {
    const { lanes, setup, handshake } = this.#parts;
    if (entry.method === 'initialize') handshake.begin(params as Introduction);
    const sessionId = sessionOf(params);
    const session = setup.laneOf(sessionId);
    const context = new IncomingContext(entry.context, { requestId: id, sessionId, size });
    setup.holdIfEarly(session);
    if (lanes.isFree(session)) return this.#handle(entry, params, context);
    this.running.add(context);
    lanes.queue(session, size, () => {
      // A request that was cancelled while it waited is not started.
      if (context.aborted) this.#fail(entry, context, requestCancelled());
      else this.#handle(entry, params, context);
      return undefined;
    });
  }

  #handle(entry: Entry, params: unknown, context: IncomingContext): void {
    if (this.#freeze) deepFreeze(params);
    try {
      const returned = entry.handler.call(this.#parts.handlers, params, context);
      if (!isPromise(returned)) return this.#succeed(entry, context, returned);
      this.running.add(context);
      returned.then(
        (result) => this.#succeed(entry, context, result),
        (error: unknown) => this.#fail(entry, context, error),
      );
    } catch (error) {
      this.#fail(entry, context, error);
    }
  }

  #succeed(entry: Entry, context: IncomingContext, returned: unknown): void {
    const { method, row } = entry;
    const { checkOutgoing, handshake, wire } = this.#parts;
    try {
      const result = returned ?? (row?.result ? {} : null);
      if (row?.result) {
        const isRefused = checkOutgoing && !row.result.fits(result);
        const reason = isRefused ? whyInvalid(row.result, result) : handshake.refuseResult(result, method);
        if (reason !== undefined)
          throw new HandlerFault(`The handler of ${method} returned an invalid answer: ${reason}`);
      }
      const frame = this.#written(method, context.requestId, result);
      if (method === 'initialize') handshake.complete(result as Introduction);
      void wire.send(frame, aboutAnswer(context.requestId, method, context.sessionId));
    } catch (error) {
      return this.#fail(entry, context, error);
    }
    this.#finish(entry, context);
  }

  #fail(entry: Entry, context: IncomingContext, error: unknown): void {
    if (entry.method === 'initialize') this.#parts.handshake.fail();
    const about = aboutAnswer(context.requestId, entry.method, context.sessionId);
    const isCancelled = context.aborted && isAbort(error);
    this.#sendFailure(isCancelled ? requestCancelled() : this.#failure(entry.method, error), about);
    this.#finish(entry, context);
  }

  /** Called after the answer is sent, so that the end of the connection waits for it. */
  #finish(entry: Entry, context: IncomingContext): void {
    this.running.delete(context);
    if (entry.method === 'initialize') this.#parts.connection.readEarly();
  }

  #written(method: string, id: RequestId, result: unknown): string {
    try {
      return resultFrame(id, result);
    } catch (cause) {
      throw new HandlerFault(`The handler of ${method} returned something that cannot be written as JSON`, { cause });
    }
  }

  /**
   * The error answer for an exception. The message of one that is not a ProtocolError may hold internal details, so it goes to the log
   * only.
   */
  #failure(method: string, error: unknown): ProtocolError {
    if (error instanceof ProtocolError) return error;
    this.#reportThrown(method, error);
    return new ProtocolError(
      errorCodes.internalError,
      error instanceof HandlerFault ? error.message : `Internal error while handling ${method}`,
    );
  }

  #sendFailure({ code: given, message, data }: ProtocolError, about: FrameAbout): void {
    const code = Number.isInteger(given) ? given : errorCodes.internalError;
    try {
      this.#parts.wire.sendError({ code, message, data }, about);
    } catch {
      this.#parts.journal.warning('error', 'the data of an error cannot be written as JSON', {
        direction: 'out',
        method: about.method ?? '',
        id: about.id ?? null,
      });
      this.#parts.wire.sendError({ code, message }, about);
    }
  }

  #reportThrown(method: string, error: unknown): void {
    this.#parts.journal.warning('error', 'a handler threw', { direction: 'in', method, error });
  }
}

/** An error of this side's handler whose message may be sent to the peer. */
class HandlerFault extends Error {}

function isPromise(value: unknown): value is Promise<unknown> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function';
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && (error.name === 'AbortError' || (error as { code?: unknown }).code === 'cancelled');
}

function ignore(): void {
  // A notification has no answer.
}
