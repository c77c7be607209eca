import { clientFrame, RawClient } from '../../transports/test/websocket/http-server.ts';

/** A connection of raw bytes, initialized by default. */
export interface RawConnection {
  /** Sends a text as one message. @returns the status it was answered with, over HTTP */
  send(text: string): Promise<number | undefined>;
  /** Every message that arrived. */
  received(): readonly { readonly id?: unknown; readonly error?: { readonly code: number } }[];
  /** Whether the other side has ended it. */
  readonly isClosed: boolean;
  close(): void;
}

/** `initialize` of both versions. Its id is `hello`. */
export const hello = {
  1: '{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":1}}',
  2: '{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":2,"info":{"name":"raw","version":"1"}}}',
};
const text = 1;

export type Open = (port: number, token: string, initialize?: string) => Promise<RawConnection>;

/** Over a WebSocket. */
export async function openWebSocket(port: number, token: string, initialize = hello[1]): Promise<RawConnection> {
  const client = new RawClient(port).upgrade({ authorization: `Bearer ${token}` });
  await client.untilReceived('\r\n\r\n');
  const send = async (frame: string): Promise<undefined> => {
    client.socket.write(clientFrame(text, Buffer.from(frame)));
    return undefined;
  };
  await send(initialize);
  await client.untilReceived('"hello"');
  return {
    send,
    received: () => framesOf(client.received).map((each) => JSON.parse(each) as object),
    get isClosed() {
      return client.socket.closed;
    },
    close: () => void client.socket.destroy(),
  };
}

/** Over HTTP: a POST for each message, and the streams of the connection and of the session `s`. */
export async function openHttp(port: number, token: string, initialize = hello[1]): Promise<RawConnection> {
  const authorization = `Authorization: Bearer ${token}`;
  const first = post(port, [authorization], initialize);
  const [, id = ''] = /acp-connection-id: (\S+)/i.exec(await first.untilClosed()) ?? [];
  const own = [authorization, `Acp-Connection-Id: ${id}`];
  const streams = [own, [...own, 'Acp-Session-Id: s']].map((headers) => {
    const client = new RawClient(port);
    client.socket.write(requestText('GET', [...headers, 'Accept: text/event-stream']));
    return client;
  });
  await Promise.all(streams.map((stream) => stream.untilReceived('\r\n\r\n')));
  return {
    send: async (frame) => {
      const isOfSession = frame.includes('"sessionId":"s"');
      return statusOf(await post(port, isOfSession ? [...own, 'Acp-Session-Id: s'] : own, frame).untilClosed());
    },
    received: () =>
      streams.flatMap(({ received }) =>
        [
          ...Buffer.from(received, 'latin1')
            .toString()
            .matchAll(/^data: (.*)$/gm),
        ].map(([, frame = '']) => JSON.parse(frame) as object),
      ),
    get isClosed() {
      return streams.some(({ socket }) => socket.closed);
    },
    close: () => {
      for (const { socket } of streams) socket.destroy();
    },
  };
}

/** The status line of an answer. */
export function statusOf(answer: string): number {
  return Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);
}

/** Posts a body and closes. */
function post(port: number, headers: readonly string[], body: string): RawClient {
  const client = new RawClient(port);
  const all = ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`, 'Connection: close'];
  client.socket.write(requestText('POST', [...all, ...headers]) + body);
  return client;
}

export function requestText(method: string, headers: readonly string[], path = '/acp'): string {
  return `${[`${method} ${path} HTTP/1.1`, 'Host: 127.0.0.1', ...headers].join('\r\n')}\r\n\r\n`;
}

/** The texts of the frames a server sent behind its 101. */
function framesOf(received: string): readonly string[] {
  const bytes = Buffer.from(received.slice(received.indexOf('\r\n\r\n') + 4), 'latin1');
  const frames: string[] = [];
  for (let at = 0; at + 2 <= bytes.length;) {
    const short = bytes[at + 1]! & 0x7f;
    const [head, length] =
      short < 126
        ? [2, short]
        : short === 126
          ? [4, bytes.readUInt16BE(at + 2)]
          : [10, Number(bytes.readBigUInt64BE(at + 2))];
    if (bytes[at] === 0x81 && at + head + length <= bytes.length)
      frames.push(bytes.subarray(at + head, at + head + length).toString());
    at += head + length;
  }
  return frames;
}
