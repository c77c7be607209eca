import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { asMessage, parsed, type RawMessage } from '../wire/messages.ts';

/** An MCP server on the loopback interface, over streamable HTTP and server-sent events. */
export interface HttpStub extends AsyncDisposable {
  /** The configurations for both transports, as a client passes them to an agent. Both contain the header. */
  readonly entries: { readonly http: RawMessage; readonly sse: RawMessage };
  /** The requests over a transport, with the value of their header. */
  visits(way: 'http' | 'sse'): readonly { readonly secret: string | undefined }[];
}

const header = 'x-turnwire-stub';

/** Starts a server. `secret` is the value of a header that an agent must send with every request. */
export async function httpStub(secret: string): Promise<HttpStub> {
  const visits = { http: [] as { secret: string | undefined }[], sse: [] as { secret: string | undefined }[] };
  const streams = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    const way = request.url?.startsWith('/sse') === true ? 'sse' : 'http';
    visits[way].push({ secret: request.headers[header] as string | undefined });
    void serve(request, response, streams);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const entry = (type: 'http' | 'sse'): RawMessage => ({
    type,
    name: `stub-${type}`,
    url: `http://127.0.0.1:${port}/${type}`,
    headers: [{ name: header, value: secret }],
  });
  return {
    entries: { http: entry('http'), sse: entry('sse') },
    visits: (way) => visits[way],
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function serve(request: IncomingMessage, response: ServerResponse, streams: Set<ServerResponse>): Promise<void> {
  const { method, url } = request;
  if (method === 'GET' && url === '/sse') return stream(response, streams);
  if (method !== 'POST') return void response.writeHead(405).end();
  const answer = answerTo(await text(request).catch(() => ''));
  if (url !== '/sse/messages' && answer !== undefined)
    return void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  response.writeHead(202).end();
  if (answer !== undefined)
    for (const open of streams) open.write(`event: message\ndata: ${JSON.stringify(answer)}\n\n`);
}

function stream(response: ServerResponse, streams: Set<ServerResponse>): void {
  streams.add(response);
  response.on('close', () => streams.delete(response));
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write('event: endpoint\ndata: /sse/messages\n\n');
}

function answerTo(body: string): RawMessage | undefined {
  const message = asMessage(parsed(body)) ?? {};
  const { id } = message;
  return id === undefined ? undefined : { jsonrpc: '2.0', id, ...mcpAnswerTo(message) };
}

/** The answer of an MCP server without tools. */
export function mcpAnswerTo({
  method,
  params,
}: RawMessage): { readonly result: RawMessage } | { readonly error: RawMessage } {
  const known: Readonly<Record<string, RawMessage>> = {
    initialize: {
      protocolVersion: asMessage(params)?.['protocolVersion'] ?? '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 'stub', version: '1.0.0' },
    },
    ping: {},
    'tools/list': { tools: [] },
  };
  const result = known[String(method)];
  return result === undefined ? { error: { code: -32601, message: 'this method is not offered here' } } : { result };
}
