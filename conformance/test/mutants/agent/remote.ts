import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ServerDefect } from '../../peers/remote-agent.ts';

/** A server with one defect, and the requirement that it breaks. */
export interface ServerMutant {
  readonly name: string;
  readonly over: 'http' | 'websocket';
  readonly scenario: string;
  readonly breaks: `R${number}`;
  /** Created for each server, so that it may have state. */
  readonly defect: () => ServerDefect;
}

/** Changes the response headers. */
function head(
  response: ServerResponse,
  change: (status: number, headers: Record<string, string>) => readonly [number, Record<string, string>],
): void {
  const write = response.writeHead.bind(response) as (
    status: number,
    headers?: Record<string, string>,
  ) => ServerResponse;
  response.writeHead = ((status: number, headers: Record<string, string> = {}) =>
    write(...(change(status, headers) as [number, Record<string, string>]))) as ServerResponse['writeHead'];
}

/** Changes the events that are written. */
function events(response: ServerResponse, change: (text: string) => string): void {
  const write = response.write.bind(response) as (text: string) => boolean;
  response.write = ((text: string) => write(change(text))) as ServerResponse['write'];
}

/** Changes a header of requests with one of these HTTP methods. */
function header(
  name: string,
  methods: readonly string[],
  value: (request: IncomingMessage) => string | undefined,
): () => ServerDefect {
  return () => ({
    request: (request) => {
      if (methods.includes(request.method ?? '')) request.headers[name] = value(request) ?? request.headers[name];
      return undefined;
    },
  });
}

/** Uses the last connection for requests without a known one. */
function anyConnection(isMeant: (id: string | undefined) => boolean): () => ServerDefect {
  return () => {
    let last = '';
    return {
      request: (request, response) => {
        const id = request.headers['acp-connection-id'] as string | undefined;
        if (request.method === 'GET' && isMeant(id)) request.headers['acp-connection-id'] = last;
        head(response, (status, headers) => {
          last = headers['acp-connection-id'] ?? last;
          return [status, headers];
        });
        return undefined;
      },
    };
  };
}

/** Changes the bytes that are written to a socket. */
function written(wire: Duplex, change: (bytes: string | Buffer) => string | Buffer): void {
  const write = wire.write.bind(wire) as (bytes: string | Buffer, ...more: unknown[]) => boolean;
  wire.write = ((bytes: string | Buffer, ...more: unknown[]) => write(change(bytes), ...more)) as Duplex['write'];
}

export const serverMutants: readonly ServerMutant[] = [
  {
    name: 'does not send Acp-Connection-Id with the answer to initialize',
    over: 'http',
    scenario: 'remote/initialize',
    breaks: 'R340',
    defect: () => ({
      request: (_request, response) =>
        void head(response, (status, { 'acp-connection-id': _id, ...headers }) => [status, headers]),
    }),
  },
  {
    name: 'answers messages with 200',
    over: 'http',
    scenario: 'remote/accepted',
    breaks: 'R341',
    defect: () => ({
      request: (_request, response) =>
        void head(response, (status, headers) => [status === 202 ? 200 : status, headers]),
    }),
  },
  {
    name: 'puts two messages into an event',
    over: 'http',
    scenario: 'remote/accepted',
    breaks: 'R342',
    defect: () => ({
      request: (_request, response) =>
        void events(response, (text) => text.replace(/^data: (.*)$/gm, 'data: $1\ndata: $1')),
    }),
  },
  {
    name: 'labels its event streams as JSON',
    over: 'http',
    scenario: 'remote/accepted',
    breaks: 'R343',
    defect: () => ({
      request: ({ method }, response) =>
        void (
          method === 'GET' &&
          head(response, (status, headers) => [status, { ...headers, 'content-type': 'application/json' }])
        ),
    }),
  },
  {
    name: 'accepts any content type as JSON',
    over: 'http',
    scenario: 'remote/content-type',
    breaks: 'R344',
    defect: header('content-type', ['POST'], () => 'application/json'),
  },
  {
    name: 'sends events although the client does not accept them',
    over: 'http',
    scenario: 'remote/accept',
    breaks: 'R345',
    defect: header('accept', ['GET'], () => 'text/event-stream'),
  },
  {
    name: 'opens a stream without a connection id',
    over: 'http',
    scenario: 'remote/no-connection',
    breaks: 'R346',
    defect: anyConnection((id) => id === undefined),
  },
  {
    name: 'opens a stream for an unknown connection id',
    over: 'http',
    scenario: 'remote/unknown-connection',
    breaks: 'R347',
    defect: anyConnection((id) => id === 'unknown-connection'),
  },
  {
    name: 'accepts session messages without the session header',
    over: 'http',
    scenario: 'remote/no-session',
    breaks: 'R348',
    defect: header('acp-session-id', ['POST'], () => 'any'),
  },
  {
    name: 'accepts batches',
    over: 'http',
    scenario: 'remote/batch',
    breaks: 'R349',
    defect: () => ({
      request: (_request, response) =>
        void head(response, (status, headers) => [status === 400 ? 202 : status, headers]),
    }),
  },
  {
    name: 'keeps connections after DELETE',
    over: 'http',
    scenario: 'remote/delete',
    breaks: 'R350',
    defect: () => ({
      request: ({ method }, response) => {
        if (method === 'DELETE') response.writeHead(202).end();
        return method === 'DELETE';
      },
    }),
  },
  {
    name: 'sends everything to both of two streams of a connection',
    over: 'http',
    scenario: 'remote/second-stream',
    breaks: 'R351',
    defect: () => {
      const streams: ServerResponse[] = [];
      return {
        request: ({ method }, response) => {
          if (method !== 'GET') return undefined;
          streams.push(response);
          if (streams.length > 1) response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
          else
            events(response, (text) => {
              for (const other of streams.slice(1)) other.write(text);
              return text;
            });
          return streams.length > 1;
        },
      };
    },
  },
  {
    name: 'sends everything on the stream of the connection',
    over: 'http',
    scenario: 'remote/streams',
    breaks: 'R366',
    defect: () => {
      let connection: ServerResponse | undefined;
      return {
        request: ({ method, headers }, response) => {
          if (method !== 'GET') return undefined;
          if (headers['acp-session-id'] === undefined) connection = response;
          else events(response, (text) => (connection?.write(text), ''));
          return undefined;
        },
      };
    },
  },
  {
    name: 'sends queued messages of a stream in reverse order',
    over: 'http',
    scenario: 'remote/streams',
    breaks: 'R367',
    defect: () => ({
      request: ({ headers }, response) =>
        void (
          headers['acp-session-id'] !== undefined &&
          events(response, (text) =>
            text
              .split(/(?<=\n\n)/)
              .toReversed()
              .join(''),
          )
        ),
    }),
  },
  {
    name: 'stops answering after a POST was cut off',
    over: 'http',
    scenario: 'remote/cut-request',
    breaks: 'R352',
    defect: () => {
      let isStuck = false;
      return {
        request: (request) => {
          request.once('close', () => (isStuck ||= !request.complete));
          // Requests are accepted but never answered.
          if (isStuck) request.headers['content-type'] = 'text/plain';
          return undefined;
        },
      };
    },
  },
  {
    name: 'does not send Acp-Connection-Id with the upgrade',
    over: 'websocket',
    scenario: 'remote/upgrade',
    breaks: 'R353',
    defect: () => ({
      upgrade: (wire) =>
        written(wire, (bytes) => (typeof bytes === 'string' ? bytes.replace(/Acp-Connection-Id.*\r\n/, '') : bytes)),
    }),
  },
  {
    name: 'sends messages in binary frames',
    over: 'websocket',
    scenario: 'remote/text-frames',
    breaks: 'R354',
    defect: () => ({
      upgrade: (wire) =>
        written(wire, (bytes) => {
          // The first byte of a text frame, also if its bytes are written as characters.
          if (typeof bytes === 'string') return bytes.replace(/^\u0081/, '\u0082');
          return bytes[0] === 0x81 ? Buffer.concat([Buffer.of(0x82), bytes.subarray(1)]) : bytes;
        }),
    }),
  },
  {
    name: 'processes messages in binary frames',
    over: 'websocket',
    scenario: 'remote/binary-frames',
    breaks: 'R355',
    defect: () => ({
      upgrade: (wire) => {
        const emit = wire.emit.bind(wire);
        wire.emit = ((name: string, bytes: Buffer, ...more: unknown[]) => {
          if (name === 'data' && bytes[0] === 0x82) bytes[0] = 0x81;
          return emit(name, bytes, ...more);
        }) as Duplex['emit'];
      },
    }),
  },
  {
    name: 'stops answering after a connection was cut off',
    over: 'websocket',
    scenario: 'remote/cut-frame',
    breaks: 'R352',
    defect: () => {
      const wires = new Set<Duplex>();
      return {
        upgrade: (wire) => {
          wires.add(wire);
          wire.once('close', () => {
            for (const each of wires) each.pause();
          });
        },
      };
    },
  },
];
