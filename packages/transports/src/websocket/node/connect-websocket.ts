import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Transport } from '@turnwire/protocol';
import { TurnwireError } from '@turnwire/protocol';
import { WebSocket } from 'ws';
import { defaultSilence } from '../../default-silence.ts';
import { codeOfRefusal } from '../../endpoint/code-of-refusal.ts';
import { openWire, type OpenWireOptions } from '../../proxy/open-wire.ts';
import type { WebSocketLimits } from '../websocket-transport.ts';
import { transportOver } from '../websocket-transport.ts';
import { batch } from './batch.ts';
import { keepAlive } from './keep-alive.ts';

/** Options of {@link connectWebSocket}. */
export interface ConnectWebSocketOptions extends WebSocketLimits {
  /** Headers of the upgrade request: `{ authorization: 'Bearer …' }`, cookies. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** How long the server may take to accept, in milliseconds. Default 10,000. */
  readonly handshakeTimeout?: number | undefined;
  /** Longest frame received, in bytes; a longer one ends the connection. Default 64 MiB. */
  readonly maxFrameBytes?: number | undefined;
  /** How long the peer may be silent, without even answering pings, before the connection counts as dead, in milliseconds. Default 45,000. */
  readonly silence?: number | undefined;
  /** Certificates of authorities to trust in addition to those of Node, as PEM. Default: none. */
  readonly ca?: string | undefined;
  /** A proxy to connect through: see `proxyFor` of `@turnwire/transports/http/node`. Default: none. */
  readonly proxy?: URL | undefined;
}

/** Characters of a refusal that are quoted. */
const quoted = 500;

/**
 * Connects to an agent behind a WebSocket, in Node; in a browser, use `webSocketTransport(new WebSocket(url))`. Frames can be sent at once. A failure
 * ends the receiver with TurnwireError `connection-closed`, or `not-authorized` after 401 and 403; the message includes the status and text of a
 * server that refused.
 * @param url `ws:` or `wss:`. Secrets belong in `headers`: URLs appear in logs
 * @throws TurnwireError `invalid-input` if it is not such a URL
 */
export function connectWebSocket(url: string | URL, options: ConnectWebSocketOptions = {}): Transport {
  const {
    headers,
    handshakeTimeout = 10_000,
    maxFrameBytes = 64 * 1024 * 1024,
    silence = defaultSilence,
    proxy,
    ca,
    ...limits
  } = options;
  const socket = open(url, {
    headers: { ...headers },
    handshakeTimeout,
    maxPayload: maxFrameBytes,
    perMessageDeflate: false,
    ...((proxy ?? ca) && { createConnection: (_: object, done: Done) => void openBy({ proxy, ca }, url, done) }),
  });
  let wire: Duplex | undefined;
  const transport = transportOver(socket, limits, {
    write: (text) => {
      if (wire) batch(wire);
      socket.send(text);
    },
  });
  socket.once('upgrade', (response) => {
    wire = response.socket;
    keepAlive(socket, response.socket, silence);
  });
  socket.once('unexpected-response', (_request, response) => void refused(socket, response));
  return transport;
}

function open(url: string | URL, options: object): WebSocket {
  const { protocol = '' } = URL.canParse(String(url)) ? new URL(url) : {};
  if (protocol !== 'ws:' && protocol !== 'wss:')
    throw new TurnwireError('invalid-input', 'the URL of a WebSocket begins with ws:// or wss://');
  try {
    return new WebSocket(url, options);
  } catch (cause) {
    // The message does not quote the header, whose value may be a secret.
    throw new TurnwireError('invalid-input', 'the URL or a header cannot be used for a WebSocket', { cause });
  }
}

type Done = (error: Error | null, wire?: Duplex) => void;

/** Opens the socket of a WebSocket through a proxy, or with other authorities. */
async function openBy(options: OpenWireOptions, url: string | URL, done: Done): Promise<void> {
  try {
    done(null, await openWire(new URL(url), { ...options, protocols: ['http/1.1'] }));
  } catch (error) {
    done(error as Error);
  }
}

/** Ends a connection that the server did not accept, with the server's message. */
async function refused(socket: WebSocket, response: IncomingMessage): Promise<void> {
  const { statusCode = 0, statusMessage = '' } = response;
  let text = '';
  response.setEncoding('utf8');
  const timer = setTimeout(() => response.destroy(), 1_000);
  try {
    for await (const chunk of response) if ((text += String(chunk)).length > quoted) break;
  } catch {
    // The status is enough.
  }
  clearTimeout(timer);
  const excerpt = text.trim().slice(0, quoted);
  const message = `the server did not accept the WebSocket: ${statusCode} ${statusMessage}${excerpt === '' ? '' : `: ${excerpt}`}`;
  socket.emit('error', new TurnwireError(codeOfRefusal(statusCode), message));
  socket.terminate();
}
