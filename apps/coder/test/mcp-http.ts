import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { sampleServer } from './fixtures/sample-mcp-server.mjs';

/** An MCP server on a loopback address. */
export interface LoopbackServer extends AsyncDisposable {
  readonly url: string;
  /** Headers of the requests so far. */
  readonly seen: readonly IncomingMessage['headers'][];
  /** Forgets all sessions, as a restart does. */
  readonly forget: () => void;
}

type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => Promise<void>;

/** The sample server over streamable HTTP. */
export function streamableServer(): Promise<LoopbackServer> {
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  const open = async (): Promise<WebStandardStreamableHTTPServerTransport> => {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    await sampleServer().connect(transport);
    return transport;
  };
  return serve(
    '/mcp',
    () => sessions.clear(),
    async (request, response, body) => {
      const id = request.headers['mcp-session-id'];
      const known = typeof id === 'string' ? sessions.get(id) : undefined;
      if (id !== undefined && !known) return void response.writeHead(404).end();
      await pipe(await (known ?? (await open())).handleRequest(asFetchRequest(request, body)), response);
    },
  );
}

/** The sample server over HTTP with server-sent events, the older way. */
export function sseServer(): Promise<LoopbackServer> {
  const sessions = new Map<string, EventStream>();
  return serve(
    '/sse',
    () => sessions.clear(),
    async (request, response, body) => {
      const id = new URL(request.url ?? '', 'http://x').searchParams.get('session');
      if (request.method === 'POST') {
        sessions.get(id ?? '')?.onmessage?.(JSON.parse(body) as JSONRPCMessage);
        return void response.writeHead(sessions.has(id ?? '') ? 202 : 404).end();
      }
      const stream = new EventStream(response);
      const name = randomUUID();
      sessions.set(name, stream);
      response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .write(`event: endpoint\ndata: /sse?session=${name}\n\n`);
      await sampleServer().connect(stream);
    },
  );
}

class EventStream implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  readonly #response: ServerResponse;

  constructor(response: ServerResponse) {
    this.#response = response;
    response.on('close', () => this.onclose?.());
  }

  async start(): Promise<void> {}

  async send(message: JSONRPCMessage): Promise<void> {
    this.#response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
  }

  async close(): Promise<void> {
    this.#response.end();
  }
}

/** A server that answers everything with this status. */
export function refusingServer(status: number): Promise<LoopbackServer> {
  return serve(
    '/mcp',
    () => {},
    async (_request, response) => void response.writeHead(status).end('no'),
  );
}

async function serve(path: string, forget: () => void, handle: Handler): Promise<LoopbackServer> {
  const seen: IncomingMessage['headers'][] = [];
  const server: Server = createServer((request, response) => {
    seen.push(request.headers);
    void bodyOf(request)
      .then((body) => handle(request, response, body))
      .catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    seen,
    forget,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function asFetchRequest(request: IncomingMessage, body: string): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) headers.set(name, String(value));
  const method = request.method ?? 'GET';
  return new Request(`http://127.0.0.1${request.url}`, { method, headers, ...(body !== '' && { body }) });
}

async function pipe(answer: Response, response: ServerResponse): Promise<void> {
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  if (answer.body === null) return void response.end();
  const reader = answer.body.getReader();
  response.on('close', () => void reader.cancel().catch(() => undefined));
  response.flushHeaders();
  for (let part = await reader.read(); !part.done; part = await reader.read()) response.write(part.value);
  response.end();
}
