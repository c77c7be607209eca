import type { Edition, Transport } from '@turnwire/protocol';
import { memoryPair } from '@turnwire/transports/memory';
import { Connection } from '../connection/connection.ts';
import { type HandlerParts, peerHandlers } from '../connection/peer-handlers.ts';
import { Registrations } from '../connection/registrations.ts';
import type { MaybePromise } from '../json-rpc/messages.ts';
import { transportBelow } from '../streams/message-stream.ts';
import { ObjectTransport } from '../streams/object-streams.ts';
import type { Stream } from '../streams/stream.ts';

/** An end of a connection, as `connect` returns it. */
export interface AcpConnection {
  /** Aborts when the connection ends. */
  readonly signal: AbortSignal;
  /** Resolves when the connection has ended. */
  readonly closed: Promise<void>;
  /** Ends the connection; pending requests reject with the error. */
  close(error?: unknown): void;
}

/** Called when an app opens a connection. */
export type ConnectHandler<Handle extends AcpConnection> = (connection: Handle) => MaybePromise<void>;

/** Options of a new app. */
export type AppOptions = {
  /** A name for people who read the program. */
  name?: string;
  /** Removes fields that the protocol does not have from the parameters of its methods, as the official package does. Default: they stay. */
  strip?: boolean;
};

/** The parts of an app that depend on its side and version. */
interface AppParts extends Omit<HandlerParts, 'registrations'> {
  readonly side: 'agent' | 'client';
  readonly edition: Edition;
  readonly makeHandle: (connection: Connection) => AcpConnection;
}

/** The handlers of one side, from which any number of connections can be opened. */
export class App {
  readonly registrations: Registrations;
  readonly #parts: AppParts;
  readonly #connectHandlers: ConnectHandler<never>[] = [];

  constructor(parts: AppParts) {
    this.#parts = parts;
    this.registrations = new Registrations(parts.side, parts.edition.methods);
  }

  addConnectHandler(handler: ConnectHandler<never>): void {
    this.#connectHandlers.push(handler);
  }

  /** Opens a connection over a stream, or to an app of the other side in this process. */
  connect(target: Stream | App, isDeferred = false): AcpConnection {
    return target instanceof App
      ? this.#connectTo(target)
      : this.connectOver(transportOf(target, this.#parts.side), isDeferred);
  }

  /** Opens a connection over a transport. */
  connectOver(transport: Transport, isDeferred = false): AcpConnection {
    const handle = this.#open(transport);
    if (!isDeferred) this.runConnectHandlers(handle);
    return handle;
  }

  /** Calls the handlers for new connections. One that fails ends the connection. */
  runConnectHandlers(handle: AcpConnection): void {
    for (const handler of this.#connectHandlers) {
      try {
        Promise.resolve(handler(handle as never)).catch((error: unknown) => handle.close(error));
      } catch (error) {
        handle.close(error);
        throw error;
      }
    }
  }

  /** Both apps are connected before the first handler for connections runs. */
  #connectTo(other: App): AcpConnection {
    const [near, far] = memoryPair();
    const otherHandle = other.#open(far);
    const handle = this.#open(near);
    try {
      other.runConnectHandlers(otherHandle);
      this.runConnectHandlers(handle);
    } catch (error) {
      otherHandle.close(error);
      handle.close(error);
      throw error;
    }
    return handle;
  }

  #open(transport: Transport): AcpConnection {
    const { side, edition, makeHandle } = this.#parts;
    const hasInitialize = this.registrations.has('request', 'initialize');
    if (side === 'agent' && edition.protocolVersion > 1 && !hasInitialize)
      throw new Error(`An agent of version ${edition.protocolVersion} requires an initialize request handler`);
    const isGated = this.#parts.isGated && hasInitialize;
    const parts = { ...this.#parts, registrations: this.registrations, isGated };
    const handlers = (connection: Connection): object => peerHandlers(parts, connection);
    return makeHandle(new Connection(transport, { side, edition, handlers }));
  }
}

/**
 * Runs a function while a connection is open, and ends it afterwards.
 * @throws the reason of the end, if the connection ends first
 */
export async function whileOpen<Value>(connection: AcpConnection, run: () => MaybePromise<Value>): Promise<Value> {
  const ended = connection.closed.then(() => {
    throw connection.signal.reason;
  });
  try {
    return await Promise.race([Promise.resolve().then(run), ended]);
  } finally {
    ended.catch(() => undefined);
    connection.close();
  }
}

/** A client reports noise on an agent's stdout; an agent answers it, as JSON-RPC demands. */
export function transportOf(stream: Stream, side: 'agent' | 'client'): Transport {
  return transportBelow(stream, side === 'agent' ? 'deliver' : 'report') ?? new ObjectTransport(stream);
}
