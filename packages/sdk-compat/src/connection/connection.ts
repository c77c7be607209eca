import {
  connectAgent,
  connectClient,
  type Edition,
  type Handlers,
  type LogEntry,
  type Peer,
  type PeerOptions,
  TurnwireError,
} from '@turnwire/protocol';
import { endOf, receivedError } from '../json-rpc/conversions.ts';
import type { SendRequestOptions } from '../json-rpc/messages.ts';
import { RequestError } from '../json-rpc/request-error.ts';
import { Burst } from './burst.ts';
import { abandon, type StreamTransport } from './stream-transport.ts';
import { SessionUpdates } from './session-updates.ts';
import { Initialization } from './initialization.ts';
import { report } from '../json-rpc/report.ts';

/** The parts of a connection that depend on its app. */
export interface ConnectionParts {
  readonly side: 'agent' | 'client';
  readonly edition: Edition;
  /** The handlers of our peer. Called once. */
  readonly handlers: (connection: Connection) => object;
}

/** A connection as the official package has it, on our peer. */
export class Connection {
  readonly closed: Promise<void>;
  /** Of a client: the sessions that read their updates one by one. */
  readonly updates: SessionUpdates = new SessionUpdates();
  /** Both sides' introductions, once they are exchanged. */
  readonly initialization: Initialization = new Initialization();
  readonly #parts: ConnectionParts;
  readonly #peer: Peer;
  readonly #transport: StreamTransport;
  readonly #burst = new Burst();
  readonly #closing = new AbortController();

  constructor(transport: StreamTransport, parts: ConnectionParts) {
    const { side, edition } = parts;
    const options: PeerOptions = {
      edition: edition as PeerOptions['edition'],
      gates: false,
      checkOutgoing: false,
      // The official package waits for the answer to a cancelled request without a limit.
      limits: { cancel: 2 ** 31 - 1 },
      log: reportWarning,
    };
    this.#parts = parts;
    this.#transport = transport;
    const handlers = parts.handlers(this) as object & Handlers<'agent'> & Handlers<'client'>;
    this.#peer = (
      side === 'agent' ? connectAgent(transport, handlers, options) : connectClient(transport, handlers, options)
    ) as Peer;
    this.closed = this.#peer.closed.then(({ error }) => {
      this.#abort(endOf(error));
      void abandon(transport, this.signal.reason);
    });
  }

  /** Aborts when the connection ends; its reason is the error of requests that were not answered. */
  get signal(): AbortSignal {
    return this.#closing.signal;
  }

  /** Ends the connection. The streams stay open. */
  close(error?: unknown): void {
    if (this.signal.aborted) return;
    this.#abort(error);
    void this.#peer.close();
  }

  request(method: string, params: unknown, options: SendRequestOptions = {}): Promise<unknown> {
    const answer = this.signal.aborted
      ? Promise.reject<unknown>(this.signal.reason as Error)
      : method === 'initialize'
        ? this.#introduce(params, options)
        : this.#inOrder(method, () => this.#ask(method, params, options));
    // Programs call without awaiting, as with the official package: a failure must not end the process.
    answer.catch(() => undefined);
    return answer;
  }

  notify(method: string, params: unknown): Promise<void> {
    if (this.signal.aborted) {
      const rejected = Promise.reject<void>(this.signal.reason as Error);
      rejected.catch(() => undefined);
      return rejected;
    }
    const sent = this.#inOrder(method, () => this.#send(method, params));
    sent.catch(() => undefined);
    return sent;
  }

  /** Resolves when the notification was written, except in a burst: then when it was queued, and the end of the connection reports a failure. */
  #send(method: string, params: unknown): Promise<void> {
    const queued = this.#isSentByThisSide(method, 'notification')
      ? this.#peer.notify(method as never, params as never)
      : this.#peer.raw.notify(method, params);
    return this.#burst.add() ? queued : queued.then(() => this.#transport.written?.());
  }

  /** From version 2 on, a client sends nothing before `initialize`, and waits for its answer. */
  get #isOrdered(): boolean {
    const { side, edition } = this.#parts;
    return side === 'client' && edition.protocolVersion > 1;
  }

  #inOrder<Value>(method: string, send: () => Promise<Value>): Promise<Value> {
    return this.#isOrdered ? this.initialization.after(method, send) : send();
  }

  #introduce(params: unknown, options: SendRequestOptions): Promise<unknown> {
    // The program may change its object while it waits.
    const request = this.#isOrdered ? structuredClone(params) : params;
    const call = (): Promise<unknown> =>
      this.#ask('initialize', request, options).then((response) => this.#introduced(request, response));
    return this.#isOrdered ? this.initialization.begin(call) : call();
  }

  #ask(method: string, params: unknown, options: SendRequestOptions): Promise<unknown> {
    const { cancellationSignal: signal, stopWaitingOnCancel = false } = options;
    const requestOptions = signal && { signal };
    const sent = this.#isSentByThisSide(method, 'request')
      ? this.#peer.request(method as never, params as never, requestOptions)
      : this.#peer.raw.request(method, params, requestOptions);
    const answer = sent.catch((error: unknown) => {
      const isClosed = error instanceof TurnwireError && error.code === 'connection-closed';
      throw isClosed && this.signal.aborted ? this.signal.reason : receivedError(error);
    });
    return signal && stopWaitingOnCancel ? Promise.race([answer, cancelled(signal)]) : answer;
  }

  /** Version 1 leaves it to the program to compare versions. */
  #introduced(request: unknown, response: unknown): unknown {
    const { protocolVersion: expected } = this.#parts.edition;
    const { protocolVersion: received } = (response ?? {}) as { readonly protocolVersion?: unknown };
    if (expected > 1 && received !== expected) {
      const data = { expectedProtocolVersion: expected, receivedProtocolVersion: received };
      throw RequestError.invalidRequest(data, `The v${expected} API only supports protocol version ${expected}`);
    }
    return this.initialization.complete(request, response);
  }

  /** A method of the protocol that the other side handles, or one that the protocol does not have. */
  #isSentByThisSide(method: string, kind: 'request' | 'notification'): boolean {
    const { side, edition } = this.#parts;
    const row = Object.hasOwn(edition.methods, method) ? edition.methods[method] : undefined;
    return row !== undefined && row.kind === kind && row.side !== side;
  }

  #abort(error?: unknown): void {
    if (this.signal.aborted) return;
    this.#closing.abort(error === undefined ? endOf(error) : error);
    this.updates.end(this.signal.reason);
    this.initialization.fail(this.signal.reason);
  }
}

/** Rejects when the signal aborts. */
function cancelled(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const cancel = (): void => reject(asCancellation(signal.reason));
    if (signal.aborted) cancel();
    else signal.addEventListener('abort', cancel, { once: true });
  });
}

function asCancellation(reason: unknown): RequestError {
  return reason instanceof RequestError && reason.code === -32800 ? reason : RequestError.requestCancelled(reason);
}

function reportWarning({ level, event, method, detail, size }: LogEntry): void {
  if (level === 'debug' || level === 'info') return;
  report(`ACP: ${event}`, {
    ...(method && { method }),
    ...(detail && { detail }),
    ...(size !== undefined && { size }),
  });
}
