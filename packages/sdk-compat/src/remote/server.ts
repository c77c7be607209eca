import type { Transport } from '@turnwire/protocol';
import { type FetchEndpoint, fetchEndpoint } from '@turnwire/transports/http/fetch';
import type { AgentConnectionLifecycle, AgentConnector } from '../apps/agent-connector.ts';
import { AgentSideConnection } from '../classes/agent-side-connection.ts';
import type { Agent } from '../classes/interfaces.ts';
import { messageStream } from '../streams/message-stream.ts';
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
  /** Not used: a connection over HTTP ends when its client has had no open stream for 45 seconds, and a socket when its peer is silent. */
  readonly maxOutputStallMs?: number;
  /** Sessions with a stream; beyond it the connection ends. Default 1024. */
  readonly maxBufferedSessionStreams?: number;
  /** Not used: a message has a limit, which covers its ids. */
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
export type AcpServerOptions = AgentOption & ConnectionLimits;
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
}

/** Names the agent of a request to our endpoint. A client cannot set it: it is replaced in each request. */
const agentHeader = 'x-acp-agent';
/** The longest time that a timer can wait, in milliseconds. */
const longestTime = 2 ** 31 - 1;
const limitNames = ['maxBufferedBytes', 'maxOutputStallMs', 'maxBufferedSessionStreams', 'maxIdLength'] as const;

/**
 * Serves agents over Streamable HTTP and WebSocket. As with the official package, your own server decides about paths, hosts and origins;
 * `serveHttp` of `@turnwire/transports` checks them.
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

  /** Answers a request over HTTP. The options choose the agent if the request is `initialize`. */
  async handleRequest(request: Request, options: HandleRequestOptions = {}): Promise<Response> {
    if (request.headers.get('upgrade')?.toLowerCase() === 'websocket')
      return new Response('Upgrade this request with prepareWebSocketUpgrade.\n', { status: 426 });
    const key = crypto.randomUUID();
    const headers = new Headers(request.headers);
    for (const name of ['host', 'origin']) headers.delete(name);
    headers.set(agentHeader, key);
    this.#chosen.set(key, this.#choose(options));
    const { method, body, signal } = request;
    const init = { method, headers, signal, ...(body && { body, duplex: 'half' as const }) };
    try {
      return await this.#endpoint.fetch(new Request('http://localhost/acp', init));
    } finally {
      this.#chosen.delete(key);
    }
  }

  /** Makes a connection over WebSocket before the upgrade is answered. */
  prepareWebSocketUpgrade(options: PrepareWebSocketUpgradeOptions = {}): PreparedWebSocketUpgrade {
    const agent = this.#choose(options).connector();
    let isSettled = false;
    const { maxBufferedBytes = DEFAULT_MAX_BUFFERED_BYTES } = this.#options;
    return {
      connectionId: crypto.randomUUID(),
      accept: (socket) => {
        if (isSettled) throw new Error('ACP WebSocket upgrade has already been settled');
        isSettled = true;
        const transport = socketTransport(socket, { maxBufferedBytes });
        this.#sockets.set(transport, socket);
        open(agent, transport, () => this.#sockets.delete(transport));
      },
      reject: () => void (isSettled = true),
    };
  }

  /** Ends all connections. */
  async close(): Promise<void> {
    for (const socket of this.#sockets.values()) socket.close(1001, 'Server shutting down');
    await Promise.all([this.#endpoint.close(), ...[...this.#sockets.keys()].map((transport) => transport.close())]);
  }

  #choose(options: HandleRequestOptions): Served {
    return { connector: () => connectorOf(options) ?? (connectorOf(this.#options) as AgentConnector) };
  }

  #serve(id: string, transport: Transport, served: Served): void {
    this.#served.set(id, served);
    const ended = (): void => void this.#served.delete(id);
    try {
      open(served.connector(), transport, ended);
    } catch (error) {
      ended();
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
function open(agent: AgentConnector, transport: Transport, ended: () => void): void {
  let isStarted = false;
  let start = (): void => undefined;
  const answering: Transport = {
    start: (receiver) => transport.start(receiver),
    send: (text, about) => {
      const drained = transport.send(text, about);
      if (about?.kind === 'answer' && !isStarted) {
        isStarted = true;
        queueMicrotask(() => start());
      }
      return drained;
    },
    close: () => transport.close(),
    [Symbol.asyncDispose]: () => Promise.resolve(transport[Symbol.asyncDispose]()),
  };
  const stream = messageStream(() => answering, 'agent');
  const connection = (agent.connect(stream, { deferConnectHandlers: true }) ?? {}) as AgentConnectionLifecycle;
  start = () => connection.startConnectHandlers?.();
  void Promise.resolve(connection.closed).then(ended, ended);
}

function checkLimit(name: string, value: number | undefined): void {
  if (value !== undefined && !(Number.isSafeInteger(value) && value > 0))
    throw new RangeError(`${name} must be a positive safe integer`);
  if (name === 'maxOutputStallMs' && value !== undefined && value > longestTime)
    throw new RangeError(`${name} must be at most ${longestTime}`);
}
