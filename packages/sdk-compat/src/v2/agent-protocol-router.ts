import type { FrameReceiver, ProtocolError } from '@turnwire/protocol';
import { acceptVersion } from '@turnwire/protocol/v2';
import { AgentAppOf } from '../apps/agent-app.ts';
import type { AgentConnectionLifecycle, AgentConnectOptions, AgentConnector } from '../apps/agent-connector.ts';
import { transportOf } from '../apps/app.ts';
import { abandon, type StreamTransport } from '../connection/stream-transport.ts';
import { named } from '../json-rpc/conversions.ts';
import { report } from '../json-rpc/report.ts';
import { RequestError } from '../json-rpc/request-error.ts';
import { ObjectTransport, objectStreams } from '../streams/object-streams.ts';
import type { Stream } from '../streams/stream.ts';

/** A connection that was routed, or is about to be. */
type RoutedConnection = AgentConnectionLifecycle & { readonly closed: Promise<void>; startConnectHandlers(): void };

/** Serves version 1 and version 2 of the protocol on one connection: `initialize` decides which of two agents gets it. */
export class AgentProtocolRouter implements AgentConnector {
  readonly #agents = new Map<number, AgentConnector>();

  /** Sets the agent of version 1. */
  withV1(agent: AgentConnector): this {
    this.#agents.set(1, agent);
    return this;
  }

  /** Sets the agent of version 2. */
  withV2(agent: AgentConnector): this {
    this.#agents.set(2, agent);
    return this;
  }

  /** Serves one connection. Until a valid `initialize` comes, other requests are answered with an error. */
  connect(stream: Stream, { deferConnectHandlers = false }: AgentConnectOptions = {}): RoutedConnection {
    return route(transportOf(stream, 'agent'), this.#agents, deferConnectHandlers);
  }
}

/** Makes a router without agents. */
export function agentProtocolRouter(): AgentProtocolRouter {
  return new AgentProtocolRouter();
}

function route(
  transport: StreamTransport,
  agents: ReadonlyMap<number, AgentConnector>,
  isDeferred: boolean,
): RoutedConnection {
  let selected: AgentConnectionLifecycle | undefined;
  let isStarted = !isDeferred;
  let routed: RoutedTransport | undefined;
  let end: () => void = () => undefined;
  const closed = new Promise<void>((resolve) => (end = resolve));
  transport.start({
    frame: (text) => {
      if (routed) return routed.frame(text);
      const found = readInitialize(
        text,
        [...agents.keys()].toSorted((one, other) => one - other),
      );
      if (found === undefined) return undefined;
      if ('error' in found) return transport.send(JSON.stringify({ jsonrpc: '2.0', ...found }));
      routed = new RoutedTransport(transport);
      try {
        selected = open(agents.get(found.version) as AgentConnector, routed);
      } catch (error) {
        report('Error connecting a routed agent', { message: named(error).message });
        void fail(transport, error).then(end);
        return undefined;
      }
      void Promise.resolve(selected.closed).then(end);
      if (isStarted) selected.startConnectHandlers?.();
      return routed.frame(JSON.stringify(found.message));
    },
    warning: (warning) => routed?.warning(warning),
    end: (error) => {
      if (routed) return routed.end(error);
      void (error === undefined ? transport.close() : fail(transport, error)).then(end);
    },
  });
  return {
    closed,
    startConnectHandlers: () => {
      if (isStarted) return;
      isStarted = true;
      selected?.startConnectHandlers?.();
    },
  };
}

/** Streams of objects end with the error; bytes belong to the program. */
function fail(transport: StreamTransport, error: unknown): Promise<void> {
  return transport instanceof ObjectTransport ? transport.abort(error) : abandon(transport, error);
}

/** Our own apps read frames; others get streams of objects. */
function open(agent: AgentConnector, transport: StreamTransport): AgentConnectionLifecycle {
  const connection =
    agent instanceof AgentAppOf
      ? agent.inner.connectOver(transport, true)
      : agent.connect(objectStreams(transport), { deferConnectHandlers: true });
  return connection ?? {};
}

type Found =
  | { readonly version: number; readonly message: object }
  | { readonly id: unknown; readonly error: ReturnType<RequestError['toErrorResponse']> };

/** The version for `initialize` and its request in the form of that version, or an error. Nothing: the message is ignored. */
function readInitialize(text: string, versions: readonly number[]): Found | undefined {
  let message: { readonly id?: unknown; readonly method?: unknown; readonly params?: unknown };
  try {
    message = JSON.parse(text) as typeof message;
  } catch {
    return { id: null, error: RequestError.parseError().toErrorResponse() };
  }
  const { id, method, params } = message;
  if (Array.isArray(message))
    return refusal(null, RequestError.invalidRequest(undefined, 'JSON-RPC batches are not supported'));
  if (method === undefined || id === undefined) return undefined;
  if (method !== 'initialize') return refusal(id, RequestError.invalidRequest('first ACP request must be initialize'));
  try {
    const accepted = acceptVersion(params, versions);
    if (accepted.version === 2 && typeof id !== 'string' && !Number.isInteger(id))
      return refusal(null, RequestError.invalidRequest(undefined, 'ACP v2 request IDs must be strings or integers'));
    const asked = { ...(accepted.params as object), ...(accepted.version === 2 && { protocolVersion: 2 }) };
    return { version: accepted.version, message: { ...message, params: asked } };
  } catch (error) {
    return refusal(id, error as ProtocolError);
  }
}

function refusal(id: unknown, { code, message, data }: ProtocolError | RequestError): Found {
  return { id, error: { code, message, data } };
}

/** A transport whose first frames were read already. */
class RoutedTransport implements StreamTransport {
  readonly #transport: StreamTransport;
  #receiver: FrameReceiver | undefined;
  readonly #early: string[] = [];

  constructor(transport: StreamTransport) {
    this.#transport = transport;
  }

  start(receiver: FrameReceiver): void {
    this.#receiver = receiver;
    for (const text of this.#early.splice(0)) void receiver.frame(text);
  }

  frame(text: string): Promise<void> | undefined {
    if (this.#receiver) return this.#receiver.frame(text);
    this.#early.push(text);
    return undefined;
  }

  warning(warning: Parameters<FrameReceiver['warning']>[0]): void {
    this.#receiver?.warning(warning);
  }

  end(error?: Error): void {
    this.#receiver?.end(error);
  }

  send(text: string): Promise<void> | undefined {
    return this.#transport.send(text);
  }

  close(): Promise<void> {
    return this.#transport.close();
  }

  async written(): Promise<void> {
    await this.#transport.written?.();
  }

  abandon(reason: unknown): Promise<void> {
    return abandon(this.#transport, reason);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#transport[Symbol.asyncDispose]();
  }
}
