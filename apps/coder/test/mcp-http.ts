import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { LoopbackServer } from '../../../tools/real-agents/loopback-server.ts';
import { sampleServer } from './fixtures/sample-mcp-server.mjs';

type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => Promise<void>;

/** An MCP server on a loopback address. */
export class McpHttpServer extends LoopbackServer {
  /** Headers of the requests so far. */
  readonly seen: IncomingMessage['headers'][] = [];
  /** Forgets all sessions, as a restart does. */
  readonly forget: () => void;
  readonly #path: string;
  readonly #handle: Handler;

  private constructor(path: string, forget: () => void, handle: Handler) {
    super();
    this.#path = path;
    this.forget = forget;
    this.#handle = handle;
  }

  static start(path: string, forget: () => void, handle: Handler): Promise<McpHttpServer> {
    return new McpHttpServer(path, forget, handle).listening();
  }

  override get url(): string {
    return `${super.url}${this.#path}`;
  }

  protected async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.seen.push(request.headers);
    await this.#handle(request, response, await text(request));
  }
}

/** How a server answers a request of a session that it does not know. */
export type UnknownSession = (response: ServerResponse, body: string) => void;

/** The sample server over streamable HTTP. */
export function streamableServer(
  unknownSession: UnknownSession = (response) => response.writeHead(404).end(),
  cookie?: string,
): Promise<McpHttpServer> {
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  const open = async (): Promise<WebStandardStreamableHTTPServerTransport> => {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    await sampleServer().connect(transport);
    return transport;
  };
  return McpHttpServer.start(
    '/mcp',
    () => sessions.clear(),
    async (request, response, body) => {
      if (cookie !== undefined) response.setHeader('set-cookie', cookie);
      const id = request.headers['mcp-session-id'];
      const known = typeof id === 'string' ? sessions.get(id) : undefined;
      if (id !== undefined && !known) return unknownSession(response, body);
      await pipe(await (known ?? (await open())).handleRequest(asFetchRequest(request, body)), response);
    },
  );
}

/** The sample server over HTTP with server-sent events, the older way. */
export function sseServer(): Promise<McpHttpServer> {
  const sessions = new Map<string, EventStream>();
  return McpHttpServer.start(
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
export function refusingServer(status: number): Promise<McpHttpServer> {
  return McpHttpServer.start(
    '/mcp',
    () => {},
    async (_request, response) => void response.writeHead(status).end('no'),
  );
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
