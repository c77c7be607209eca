import type { HandlerContext, Peer, RequestContext } from './peer-types.ts';
import type { RequestId } from '../json-rpc/request-id.ts';
import { TurnwireError } from '../turnwire-error.ts';

/** One request of the peer, as its handler sees it. The signal is made only for those who ask for it. */
export class IncomingContext implements RequestContext {
  readonly peer: Peer;
  readonly method: string;
  readonly requestId: RequestId;
  /** The session its parameters name. */
  readonly sessionId: string | undefined;
  /** Length of its frame, in UTF-16 units. */
  readonly size: number;
  #controller: AbortController | undefined;
  #aborted = false;
  #reason: unknown;

  constructor(
    { peer, method }: HandlerContext,
    { requestId, sessionId, size }: Pick<IncomingContext, 'requestId' | 'sessionId' | 'size'>,
  ) {
    this.peer = peer;
    this.method = method;
    this.requestId = requestId;
    this.sessionId = sessionId;
    this.size = size;
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#aborted) this.#controller.abort(this.#reason);
    return this.#controller.signal;
  }

  /** True once the peer cancelled the request or the connection ended. */
  get aborted(): boolean {
    return this.#aborted;
  }

  abort(reason?: unknown): void {
    this.#aborted = true;
    this.#reason ??= reason;
    this.#controller?.abort(reason);
  }
}

/** Requests of the peer whose handlers are still running, by id: `1` and `"1"` are two requests. */
export class IncomingRequests {
  /** Made for the first that is not answered at once. */
  #byId: Map<RequestId, IncomingContext> | undefined;
  #text = 0;
  #whenIdle: (() => void) | undefined;

  get size(): number {
    return this.#byId?.size ?? 0;
  }

  /** Length of all their frames, in UTF-16 units. */
  get text(): number {
    return this.#text;
  }

  has(id: RequestId): boolean {
    return this.#byId?.has(id) ?? false;
  }

  /** Adding what is there already changes nothing. */
  add(context: IncomingContext): void {
    if (this.has(context.requestId)) return;
    (this.#byId ??= new Map()).set(context.requestId, context);
    this.#text += context.size;
  }

  /** Taking out what was never added changes nothing. */
  delete({ requestId, size }: IncomingContext): void {
    if (this.#byId?.delete(requestId)) this.#text -= size;
    if (this.size > 0) return;
    this.#byId = undefined;
    this.#whenIdle?.();
  }

  /** Cancels one request; an id that is not running is ignored. */
  abort(id: RequestId): void {
    this.#byId?.get(id)?.abort();
  }

  /** The connection has ended: the signals say so in their reason. */
  abortAll(): void {
    const reason = new TurnwireError('connection-closed', 'The connection ended before the request was answered');
    for (const context of this.#byId?.values() ?? []) context.abort(reason);
  }

  /** Resolves when no handler is running. */
  async idle(): Promise<void> {
    // The end of `initialize` may start others, which waited for its answer.
    while (this.size > 0) await new Promise<void>((resolve) => (this.#whenIdle = resolve));
  }
}
