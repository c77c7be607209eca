import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

/** An HTTP server on a free port of the loopback interface. */
export interface ListeningServer extends AsyncDisposable {
  readonly server: Server;
  readonly port: number;
}

export async function listeningServer(): Promise<ListeningServer> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { server, port: (server.address() as AddressInfo).port, [Symbol.asyncDispose]: close };
}

/** A bare connection that sends bytes and collects the answer, in Latin 1. */
export class RawClient {
  readonly socket: Socket;
  received = '';
  readonly #closed: Promise<unknown>;

  constructor(port: number) {
    this.socket = connect(port, '127.0.0.1');
    this.socket.setEncoding('latin1');
    this.socket.on('data', (text: string) => (this.received += text));
    // The server may close it while it still writes.
    this.socket.on('error', () => this.socket.destroy());
    this.#closed = new Promise((resolve) => this.socket.once('close', resolve));
  }

  /** Sends an upgrade request with these headers instead of the usual ones; undefined omits one. */
  upgrade(headers: Readonly<Record<string, string | undefined>> = {}, path = '/acp'): this {
    const usual = {
      Host: `127.0.0.1:${this.socket.remotePort ?? 80}`,
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Version': '13',
      'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
    };
    const lines = Object.entries({ ...usual, ...headers }).flatMap(([name, value]) =>
      value === undefined ? [] : [`${name}: ${value}`],
    );
    this.socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    return this;
  }

  /** Waits until the server has closed the connection. */
  async untilClosed(): Promise<string> {
    await this.#closed;
    return this.received;
  }

  /** Waits until the server has sent a text. */
  async untilReceived(text: string): Promise<void> {
    while (!this.received.includes(text) && !this.socket.closed) await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

/** A WebSocket frame as a client sends it; `short` is the form for up to 125 bytes, which control frames need. */
export function clientFrame(
  opcode: number,
  payload: Buffer,
  {
    final = true,
    masked = true,
    short = false,
    length,
  }: { final?: boolean; masked?: boolean; short?: boolean; length?: bigint } = {},
): Buffer {
  const head = Buffer.alloc(short ? 2 : 10);
  head[0] = (final ? 0x80 : 0) | opcode;
  head[1] = (masked ? 0x80 : 0) | (short ? payload.length : 127);
  if (!short) head.writeBigUInt64BE(length ?? BigInt(payload.length), 2);
  // A mask of zeroes changes nothing.
  return Buffer.concat([head, ...(masked ? [Buffer.alloc(4)] : []), payload]);
}
