import { once } from 'node:events';
import { connect } from 'node:net';

/** The answer of a server to raw bytes. */
export interface RawAnswer {
  readonly status: number;
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends raw bytes, and reads until the server closes or has answered with the head of a WebSocket. */
export async function rawRequest(url: string, bytes: string): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.write(bytes);
  let text = '';
  socket.setEncoding('utf8');
  socket.on('error', () => undefined);
  for await (const chunk of socket as AsyncIterable<string>) {
    text += chunk;
    if (text.startsWith('HTTP/1.1 101') && text.includes('\r\n\r\n')) break;
  }
  socket.destroy();
  const [head = '', ...body] = text.split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const pairs = lines.map((line) => /^([^:]+): ?(.*)$/.exec(line) ?? []);
  const headers = Object.fromEntries(pairs.map(([, name = '', value = '']) => [name.toLowerCase(), value]));
  const rest = body.join('\r\n\r\n');
  const isChunked = headers['transfer-encoding'] === 'chunked';
  return { status: Number(first.split(' ')[1]), headers, body: isChunked ? withoutChunks(rest) : rest };
}

/** The text of a request with the required line endings. Headers that are undefined are omitted. */
export function requestText(first: string, headers: Readonly<Record<string, string | undefined>>, body = ''): string {
  const lines = Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]));
  return `${[first, ...lines].join('\r\n')}\r\n\r\n${body}`;
}

/** The text of a chunked body. */
function withoutChunks(text: string): string {
  const [, length = '0', rest = ''] = /^([\da-f]+)\r\n([^]*)$/i.exec(text) ?? [];
  const size = Number.parseInt(length, 16);
  return size === 0 ? '' : `${rest.slice(0, size)}${withoutChunks(rest.slice(size + 2))}`;
}
