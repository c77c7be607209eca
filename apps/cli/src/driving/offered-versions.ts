import type { AgentOptions } from '@turnwire/client';
import {
  type Closed,
  connectClient,
  type FrameReceiver,
  type Peer,
  ProtocolError,
  type RawCalls,
  type RequestOptions,
  type Transport,
} from '@turnwire/protocol';

type Connect = NonNullable<AgentOptions['versions']>;

/**
 * The versions of the protocol to offer an agent. The code of version 2 is loaded only if it is needed.
 * @param protocol 1: no other version; 2: version 2, or 1 if the agent has only that. Default: version 1, or 2 if the agent has only that
 */
export async function offeredVersions(protocol: 1 | 2 | undefined): Promise<Connect> {
  if (protocol === 1) return connectClient;
  if (protocol === 2) return (await version2())([1, 2]);
  return (...parts) => new LaterVersion(parts) as unknown as Peer<'client'>;
}

async function version2(): Promise<(offered: readonly [2] | readonly [1, 2]) => Connect> {
  return (await import('@turnwire/client/v2')).protocolVersions;
}

/** A connection that asks for version 1. If the agent refuses it and names version 2, the connection continues in that one. */
class LaterVersion {
  readonly side = 'client';
  readonly closed: Promise<Closed>;
  readonly #parts: Parameters<Connect>;
  #peer: Peer<'client'>;
  #end!: (closed: Closed) => void;
  #isOver = false;

  constructor([transport, handlers, options]: Parameters<Connect>) {
    this.closed = new Promise((resolve) => (this.#end = resolve));
    this.#parts = [new PassedTransport(transport), handlers, options];
    this.#peer = this.#watched(connectClient(...this.#parts));
  }

  get version(): number | undefined {
    return this.#peer.version;
  }

  get remote(): Peer<'client'>['remote'] {
    return this.#peer.remote;
  }

  get raw(): RawCalls {
    return this.#peer.raw;
  }

  async request(method: string, params?: unknown, options?: RequestOptions): Promise<unknown> {
    const answer = this.#peer.request(method as '_', params, options);
    return method === 'initialize'
      ? answer.catch((error: unknown) => this.#inVersion2(error, params, options))
      : answer;
  }

  notify(method: string, params?: unknown): Promise<void> {
    return this.#peer.notify(method as '_', params);
  }

  close(): Promise<void> {
    return this.#peer.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** Repeats `initialize` in version 2 if the agent has it. The refused request had the id 0. */
  async #inVersion2(error: unknown, params: unknown, options: RequestOptions | undefined): Promise<unknown> {
    if (!isRefusalFor2(error)) throw error;
    const connect = (await version2())([2]);
    if (this.#isOver) throw error;
    const [transport, handlers, rest] = this.#parts;
    this.#peer = this.#watched(connect(transport, handlers, { ...rest, firstId: 1 }));
    return this.#peer.request('initialize' as '_', params, options);
  }

  #watched(peer: Peer<'client'>): Peer<'client'> {
    void peer.closed.then((closed) => {
      this.#isOver = true;
      this.#end(closed);
    });
    return peer;
  }
}

/** Whether the agent refuses version 1 and names version 2 (protocol: Initialization, Version negotiation). */
function isRefusalFor2(error: unknown): boolean {
  if (!(error instanceof ProtocolError) || error.code !== -32022) return false;
  const { supported } = (error.data ?? {}) as { readonly supported?: unknown };
  return Array.isArray(supported) && supported.includes(2);
}

/** A transport that several peers use, one after the other: the last one that starts it receives the frames. */
class PassedTransport implements Transport {
  readonly #transport: Transport;
  #receiver: FrameReceiver | undefined;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  start(receiver: FrameReceiver): void {
    const isStarted = this.#receiver !== undefined;
    this.#receiver = receiver;
    if (isStarted) return;
    this.#transport.start({
      frame: (text, about) => this.#receiver?.frame(text, about),
      warning: (report) => this.#receiver?.warning(report),
      end: (reason) => this.#receiver?.end(reason),
    });
  }

  send: Transport['send'] = (frame, about) => this.#transport.send(frame, about);

  close(): Promise<void> {
    return this.#transport.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#transport[Symbol.asyncDispose]();
  }
}
