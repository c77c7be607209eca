import type { Transport } from '@turnwire/protocol';
import {
  type WebSocketLike as OurSocket,
  type WebSocketLimits,
  webSocketTransport,
} from '@turnwire/transports/websocket';

/** A WebSocket of a browser or of the package `ws`: it has `addEventListener` or `on`. */
export interface WebSocketLike {
  /** 0 connecting, 1 open, 2 closing, 3 closed. Default 1. */
  readonly readyState?: number;
  /** Bytes that the other side has not read. Default 0. */
  readonly bufferedAmount?: number;
  /** Sends one text message. */
  send(data: string): void;
  /** Starts the closing handshake. */
  close(code?: number, reason?: string): void;
  /** Adds a listener, as in a browser. */
  addEventListener?(type: string, listener: (event: unknown) => void): void;
  /** Removes it. */
  removeEventListener?(type: string, listener: (event: unknown) => void): void;
  /** Adds a listener, as in Node. */
  on?(type: string, listener: (...args: unknown[]) => void): unknown;
  /** Removes it. */
  off?(type: string, listener: (...args: unknown[]) => void): unknown;
  /** Removes it. */
  removeListener?(type: string, listener: (...args: unknown[]) => void): unknown;
}

/** A transport over such a socket. */
export function socketTransport(socket: WebSocketLike, limits?: WebSocketLimits): Transport {
  return webSocketTransport(eventSocket(socket), limits);
}

/** Calls a listener with the arguments of an event: an object of a browser, or the values of Node. */
export function listenTo(socket: WebSocketLike, type: string, listener: (...args: unknown[]) => void): void {
  if (socket.on) socket.on(type, listener);
  else socket.addEventListener?.(type, listener);
}

/** The same socket with the events and defaults that our transport expects. */
function eventSocket(socket: WebSocketLike): OurSocket {
  const { pause, resume, terminate } = socket as Partial<OurSocket>;
  return {
    get readyState() {
      return socket.readyState ?? 1;
    },
    get bufferedAmount() {
      return socket.bufferedAmount ?? 0;
    },
    send: (text) => socket.send(text),
    close: (code, reason) => socket.close(code, reason),
    addEventListener: (type: string, listener: (event: never) => void) =>
      listenTo(socket, type, (...values) => listener(eventOf(type, values) as never)),
    ...(pause && { pause: () => pause.call(socket) }),
    ...(resume && { resume: () => resume.call(socket) }),
    ...(terminate && { terminate: () => terminate.call(socket) }),
  };
}

/** The event of a browser, or one from the values that `ws` passes. */
function eventOf(type: string, [first, second]: readonly unknown[]): object {
  const isEvent = typeof first === 'object' && first !== null && !ArrayBuffer.isView(first);
  if (type === 'close') return closeEvent(isEvent ? first : { code: first, reason: second });
  if (type === 'message') return isEvent ? first : { data: second === true ? first : text(first) };
  return { error: first };
}

function closeEvent({ code, reason }: { readonly code?: unknown; readonly reason?: unknown }): object {
  return { code: typeof code === 'number' ? code : 1005, reason: text(reason) };
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : new TextDecoder().decode(value as Uint8Array | undefined);
}
