import type { IncomingRequest } from '../json-rpc/envelope.ts';
import { errorCodes, invalidParams, methodNotFound, ProtocolError } from '../protocol-error.ts';
import { describe } from '../validation/problem.ts';
import type { Entry } from './entry.ts';
import type { IncomingRequests } from './incoming-requests.ts';
import type { Parts } from './parts.ts';
import type { Received } from './reader.ts';

/** Checks received messages before their handlers are called: handlers only receive what fits the schema. */
export class IncomingAdmission {
  readonly #parts: Parts;
  readonly #running: IncomingRequests;

  constructor(parts: Parts, running: IncomingRequests) {
    this.#parts = parts;
    this.#running = running;
  }

  /** The parameters for the request's handler. Throws ProtocolError if the method has no handler, or must not be called. */
  request(request: IncomingRequest, entry: Entry | undefined, size: number): unknown {
    const { method, params } = request;
    const { handshake } = this.#parts;
    this.#admitMore(request, size);
    const tooEarly = handshake.refuseTiming(method);
    if (tooEarly !== undefined) throw invalidRequest(tooEarly);
    if (entry === undefined || (entry.row && !handshake.advertises(entry.row))) throw methodNotFound(method);
    if (entry.row?.kind === 'notification') throw invalidRequest(`${method} is a notification: send it without an id`);
    return this.#readRequest(entry, params ?? {});
  }

  /** The parameters for each call of the notification's handler: none if it is dropped, which is reported. */
  notification(entry: Entry, given: unknown): readonly unknown[] {
    const received = entry.params?.repair(given, this.#parts.reading.context());
    if (received === undefined) return [given];
    if (!received.ok) {
      this.reportDropped(entry.method, received.reason);
      return [];
    }
    this.#reportRepair(entry.method, received);
    return received.values;
  }

  /** Why a notification reaches no handler. */
  refuseNotification(method: string, entry: Entry | undefined): string | undefined {
    const { handshake } = this.#parts;
    const tooEarly = handshake.refuseTiming(method);
    if (tooEarly !== undefined) return tooEarly;
    if (entry === undefined) return 'there is no handler for it';
    if (entry.row && !handshake.advertises(entry.row)) return 'it was not advertised';
    return entry.row?.kind === 'request' ? 'it is a request: send it with an id' : undefined;
  }

  reportDropped(method: string, detail: string, level: 'info' | 'warn' = 'warn'): void {
    this.#parts.journal.warning(level, 'a notification was dropped', { direction: 'in', method, detail });
  }

  /** Throws if the request exceeds a limit. */
  #admitMore({ id, method }: IncomingRequest, size: number): void {
    const { idLength, incomingRequests, heldTextHard } = this.#parts.limits;
    if (typeof id === 'string' && id.length > idLength)
      throw invalidRequest(`id is longer than ${idLength} characters`);
    if (method.length > idLength) throw invalidRequest(`method is longer than ${idLength} characters`);
    if (this.#running.has(id)) throw invalidRequest('a request with this id is still running');
    if (this.#running.size >= incomingRequests) throw tooMuch(`${incomingRequests} requests are running`);
    if (this.#running.text + size > heldTextHard) throw tooMuch(`${this.#running.text} characters are being handled`);
  }

  #readRequest({ method, params: reader, row }: Entry, given: unknown): unknown {
    if (reader === undefined) return given;
    const received = reader.fits(given) ? undefined : reader.repair(given, this.#parts.reading.context());
    if (received?.ok === false) throw invalidParams(`Invalid params: ${received.reason}`);
    if (received !== undefined) this.#reportRepair(method, received);
    const value = received === undefined ? given : received.values[0];
    const refusal = this.#parts.handshake.refuseParams(row?.gate, value);
    if (refusal !== undefined) throw invalidParams(`Invalid params: ${refusal}`);
    return value;
  }

  #reportRepair(method: string, { repaired }: Received & { readonly ok: true }): void {
    if (repaired.length === 0) return;
    const about = { direction: 'in', method, detail: describe(repaired) } as const;
    this.#parts.journal.warning('info', 'a message was repaired', about);
  }
}

function invalidRequest(reason: string): ProtocolError {
  return new ProtocolError(errorCodes.invalidRequest, `Invalid request: ${reason}`);
}

function tooMuch(what: string): ProtocolError {
  return new ProtocolError(errorCodes.internalError, `Too much at once: ${what}`);
}
