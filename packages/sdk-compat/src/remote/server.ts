import type { Transport } from '@turnwire/protocol';
import { type FetchEndpoint, fetchEndpoint, readRequest } from '@turnwire/transports/http/fetch';
import type { AgentConnectionLifecycle, AgentConnector } from '../apps/agent-connector.ts';
import { maxValues } from '@turnwire/transports/websocket';
import { AgentSideConnection } from '../classes/agent-side-connection.ts';
import type { Agent } from '../classes/interfaces.ts';
import { messageStream } from '../streams/message-stream.ts';
import { GuardedTransport } from './guarded-transport.ts';
import { initializeFirst } from './initialize-first.ts';
import { initializeFailed, isForeignPage, refusalOfHead, refusalOfMessage, textResponse } from './request-rules.ts';
import { socketTransport, type WebSocketLike } from './socket.ts';

/** The default of `maxBufferedBytes`. */
export const DEFAULT_MAX_BUFFERED_BYTES: number = 64 * 1024 * 1024;
/** The default of `maxOutputStallMs`. */
export const DEFAULT_MAX_OUTPUT_STALL_MS: number = 60_000;
/** The default of `maxBufferedSessionStreams`. */
export const DEFAULT_MAX_BUFFERED_SESSION_STREAMS: number = 1024;
/** The default of `maxIdLength`. */
export const DEFAULT_MAX_ID_LENGTH: number = 1024;

/** Limits of each connection. */
export interface ConnectionLimits {
  /** Output that the client has not read, in UTF-16 units or bytes; beyond it the connection ends. Default 64 Mi. */
  readonly maxBufferedBytes?: number;
  /**
   * How long output that waits may make no progress, in milliseconds; then the connection ends. Default: no limit, but a connection over HTTP
   * ends when its client has had no open stream for 45 seconds, and a socket when its peer is silent.
   */
  readonly maxOutputStallMs?: number;
  /** Sessions with a stream; beyond it the connection ends. Default 1024. */
  readonly maxBufferedSessionStreams?: number;
  /**
   * The longest id of a session, and of a request over HTTP, in UTF-16 units. Requests with longer ones are answered with 400; an agent that
   * uses a longer one loses its connection. Default 1024.
   */
  readonly maxIdLength?: number;
}

/** Makes an agent for one connection. */
export type AgentFactory = () => AgentConnector;

/** @deprecated Use `AgentFactory`. */
export type LegacyAgentFactory = (connection: AgentSideConnection) => Agent;

/** The ways to name the agent of a connection. */
interface Agents {
  /** Serves every connection. */
  readonly agent: AgentConnector;
  /** Makes an agent for each connection. */
  readonly createAgent: AgentFactory;
  /** @deprecated Use `createAgent`. */
  readonly createLegacyAgent: LegacyAgentFactory;
}

type One<Name extends keyof Agents> = Pick<Agents, Name> & { readonly [Other in Exclude<keyof Agents, Name>]?: never };
type AgentOption = One<'agent'> | One<'createAgent'> | One<'createLegacyAgent'>;
type OptionalAgentOption = AgentOption | { readonly [Name in keyof Agents]?: never };

/** Options of `AcpServer`. */
export type AcpServerOptions = AgentOption &
  ConnectionLimits & {
    /** Origins of pages on other machines that may connect to a server on `localhost`: `https://example.com`, or `null`. Default: none. */
    readonly allowedOrigins?: readonly string[];
  };
/** Options of `handleRequest`. */
export type HandleRequestOptions = OptionalAgentOption;
/** Options of `prepareWebSocketUpgrade`. */
export type PrepareWebSocketUpgradeOptions = OptionalAgentOption;

/** A WebSocket that a program has accepted. */
export type WebSocketServerSocket = WebSocketLike;

/** A connection over WebSocket whose upgrade was not answered yet. */
export interface PreparedWebSocketUpgrade {
  /** For the header `Acp-Connection-Id` of the answer. */
  readonly connectionId: string;
  /** Serves the socket. */
  accept(socket: WebSocketServerSocket): void;
  /** Drops the connection. */
  reject(): void;
}

/** The agent of a connection. The same object for all its requests. */
interface Served {
  readonly connector: () => AgentConnector;
  /** The error of the program that could not make it. */
  failure?: { readonly error: unknown };
}

/** Names the agent of a request to our endpoint. A client cannot set it: it is replaced in each request. */
const agentHeader = 'x-acp-agent';
const originRefusal = 'This Origin is not accepted. The server has to list it in allowedOrigins.';
/** The longest time that a timer can wait, in milliseconds. */
const longestTime = 2 ** 31 - 1;
const limitNames = ['maxBufferedBytes', 'maxOutputStallMs', 'maxBufferedSessionStreams', 'maxIdLength'] as const;

/**
 * Serves agents over Streamable HTTP and WebSocket. As with the official package, your own server decides about paths and hosts. Unlike it,
 * a server on `localhost` refuses pages of other machines; `serveHttp` of `@turnwire/transports` checks more.
 */
export class AcpServer {
  readonly #options: AcpServerOptions;
  readonly #endpoint: FetchEndpoint;
  readonly #served = new Map<string, Served>();
  readonly #chosen = new Map<string, Served>();
  readonly #sockets = new Map<Transport, WebSocketServerSocket>();

  /** @throws RangeError when a limit is not a positive integer */
  constructor(options: AcpServerOptions) {
    for (const name of limitNames) checkLimit(name, options[name]);
    this.#options = options;
    const { maxBufferedBytes, maxBufferedSessionStreams } = options;
    this.#endpoint = fetchEndpoint(
      {
        authorize: ({ headers }) =>
          this.#served.get(String(headers['acp-connection-id'])) ??
          this.#chosen.get(String(headers[agentHeader])) ??
          this.#choose({}),
        maxConnections: Infinity,
        maxBufferedText: maxBufferedBytes ?? DEFAULT_MAX_BUFFERED_BYTES,
        maxStreams: maxBufferedSessionStreams,
      },
      (transport, { id, principal }) => this.#serve(id, transport, principal as Served),
    );
  }

  /**
   * Answers a request over HTTP. The options choose the agent if the request is `initialize`. A message of more than 16 MiB, or of more than
   * 250,000 JSON values, is answered with 413.
   */
  async handleRequest(request: Request, options: HandleRequestOptions = {}): Promise<Response> {
    const refusal = this.#refusedByHead(request) ?? refusalOfHead(request, this.#maxIdLength);
    if (refusal) return refusal;
    const served = this.#choose(options);
    const response = await (request.method === 'POST'
      ? this.#answerPost(request, served)
      : this.#answer(request, undefined, served));
    return request.signal.aborted && !response.ok ? textResponse(499, 'Request aborted') : response;
  }

  /** Whether a request with these headers comes from a page that may not connect. Ask before `prepareWebSocketUpgrade`, which does not see them. */
  isRefused(host: string, origin: string | null | undefined): boolean {
    return isForeignPage(host, origin) && !this.#options.allowedOrigins?.includes(origin ?? '');
  }

  /** Makes a connection over WebSocket before the upgrade is answered. A message of more than 250,000 JSON values ends it with code 1009. */
  prepareWebSocketUpgrade(options: PrepareWebSocketUpgradeOptions = {}): PreparedWebSocketUpgrade {
    const agent = this.#choose(options).connector();
    let isSettled = false;
    const { maxBufferedBytes = DEFAULT_MAX_BUFFERED_BYTES } = this.#options;
    const connectionId = crypto.randomUUID();
    return {
      connectionId,
      accept: (socket) => {
        if (isSettled) throw new Error('ACP WebSocket upgrade has already been settled');
        isSettled = true;
        const transport = socketTransport(socket, { maxBufferedBytes, maxValues });
        this.#sockets.set(transport, socket);
        const started = initializeFirst(transport, (reason) => socket.close(1002, reason));
        open(agent, this.#guard(connectionId, started), () => this.#sockets.delete(transport));
      },
      reject: () => void (isSettled = true),
    };
  }

  /** Ends all connections. */
  async close(): Promise<void> {
    for (const socket of this.#sockets.values()) socket.close(1001, 'Server shutting down');
    await Promise.all([this.#endpoint.close(), ...[...this.#sockets.keys()].map((transport) => transport.close())]);
  }

  #refusedByHead({ headers, url }: Request): Response | undefined {
    if (headers.get('upgrade')?.toLowerCase() === 'websocket')
      return textResponse(426, 'Upgrade this request with prepareWebSocketUpgrade.');
    return this.isRefused(headers.get('host') ?? new URL(url).host, headers.get('origin'))
      ? textResponse(403, originRefusal)
      : undefined;
  }

  async #answerPost(request: Request, served: Served): Promise<Response> {
    // A client that leaves, or a program that has used the body, makes it unreadable.
    const posted = await readRequest(request).catch(() => ({ status: 400, message: 'The body cannot be read.' }));
    if ('status' in posted) return textResponse(posted.status, posted.message);
    const { text, about } = posted;
    const response = refusalOfMessage(request, about, this.#maxIdLength) ?? (await this.#answer(request, text, served));
    return served.failure ? initializeFailed(about.id, served.failure.error) : response;
  }

  async #answer(
    { method, headers: sent, signal }: Request,
    body: string | undefined,
    served: Served,
  ): Promise<Response> {
    // A request cannot be made from one that was aborted before.
    if (signal.aborted) return Response.error();
    const key = crypto.randomUUID();
    const headers = new Headers(sent);
    for (const name of ['host', 'origin']) headers.delete(name);
    headers.set(agentHeader, key);
    this.#chosen.set(key, served);
    try {
      const init = { method, headers, signal, ...(body !== undefined && { body }) };
      return await this.#endpoint.fetch(new Request('http://localhost/acp', init));
    } finally {
      this.#chosen.delete(key);
    }
  }

  #choose(options: HandleRequestOptions): Served {
    return { connector: () => connectorOf(options) ?? (connectorOf(this.#options) as AgentConnector) };
  }

  get #maxIdLength(): number {
    return this.#options.maxIdLength ?? DEFAULT_MAX_ID_LENGTH;
  }

  #guard(connectionId: string, transport: Transport): GuardedTransport {
    const { maxOutputStallMs } = this.#options;
    return new GuardedTransport(transport, { connectionId, maxOutputStallMs, maxIdLength: this.#maxIdLength });
  }

  #serve(id: string, transport: Transport, served: Served): void {
    this.#served.set(id, served);
    const ended = (): void => void this.#served.delete(id);
    try {
      open(served.connector(), this.#guard(id, transport), ended);
    } catch (error) {
      ended();
      served.failure = { error };
      void transport[Symbol.asyncDispose]();
      throw error;
    }
  }
}

function connectorOf({ agent, createAgent, createLegacyAgent }: HandleRequestOptions): AgentConnector | undefined {
  if (createLegacyAgent) return { connect: (stream) => new AgentSideConnection(createLegacyAgent, stream) };
  return agent ?? createAgent?.();
}

/** Handlers for new connections run after the answer to `initialize`: they may send messages, which the client does not expect earlier. */
function open(agent: AgentConnector, transport: GuardedTransport, ended: () => void): void {
  const stream = messageStream(() => transport, 'agent');
  const connection = (agent.connect(stream, { deferConnectHandlers: true }) ?? {}) as AgentConnectionLifecycle;
  void transport.introduced.then(() => connection.startConnectHandlers?.());
  void Promise.resolve(connection.closed).then(ended, ended);
}

function checkLimit(name: string, value: number | undefined): void {
  if (value !== undefined && !(Number.isSafeInteger(value) && value > 0))
    throw new RangeError(`${name} must be a positive safe integer`);
  if (name === 'maxOutputStallMs' && value !== undefined && value > longestTime)
    throw new RangeError(`${name} must be at most ${longestTime}`);
}
