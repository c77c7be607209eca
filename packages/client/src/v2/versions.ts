import {
  type Closed,
  connectClient,
  type Handlers,
  type InitializeRequest,
  type InitializeResponse,
  type Peer,
  type RawCalls,
  type RequestOptions,
  TurnwireError,
  v1,
  type V1,
} from '@turnwire/protocol';
import {
  type AgreedPeer,
  connectClientVersions,
  type InitializeResponse as V2Response,
  v2,
  type V2,
} from '@turnwire/protocol/v2';
import type { Connect } from '../agent/agent.ts';
import { childSessions } from '../session/session-work.ts';
import type { Deliver, OpenSession } from './open-session.ts';
import { ProjectedCalls } from './projected-calls.ts';
import { projectedHandlers } from './projected-handlers.ts';
import { agentInVersion1, clientInVersion2 } from '@turnwire/protocol/translation';

/**
 * The versions of the protocol to offer an agent: `[2]`, or `[1, 2]`. The agent uses its newest of them, and `agent.version` is the agreed
 * one. Sessions are used in the same way with both.
 * ```ts
 * await using agent = await launchAgent('my-agent', { versions: protocolVersions([1, 2]) });
 * ```
 * Without a common version, the attachment rejects with TurnwireError `version-mismatch`.
 */
export function protocolVersions(offered: readonly [2] | readonly [1, 2]): Connect {
  const connect: Connect = (transport, handlers, options) => {
    const deliver: Deliver = (notification) => handlers['session/update']?.(notification, undefined as never);
    const sessions = new Map<string, OpenSession>();
    const { extensions, edition = v1, ...rest } = options;
    const projected = {
      ...extensions,
      ...projectedHandlers({ handlers, deliver, sessions }),
    } as Handlers<'client', V2>;
    const connection =
      offered[0] === 1
        ? connectClientVersions(
            transport,
            [
              { edition, handlers },
              { edition: v2, handlers: projected },
            ],
            rest,
          )
        : onlyVersion2(connectClient(transport, projected, { ...rest, edition: v2 }));
    return new VersionsPeer(connection, sessions, deliver) as unknown as Peer<'client'>;
  };
  return Object.assign(connect, { childSessions });
}

type Agreed = AgreedPeer<'client', V1> | AgreedPeer<'client', V2>;

/** A connection that has not agreed on a version yet. */
interface Unagreed {
  readonly closed: Promise<Closed>;
  close(): Promise<void>;
  initialize(params: object, options?: RequestOptions): Promise<Agreed>;
}

function onlyVersion2(peer: Peer<'client', V2>): Unagreed {
  return {
    closed: peer.closed,
    close: () => peer.close(),
    async initialize(params, options) {
      await peer.request(
        'initialize',
        { ...(params as ReturnType<typeof clientInVersion2>), protocolVersion: 2 },
        options,
      );
      return peer as Agreed;
    },
  };
}

/** A connection that is used in version 1, whichever version the agent speaks. Raw calls are those of the agreed version. */
class VersionsPeer {
  readonly side = 'client';
  readonly #sessions: Map<string, OpenSession>;
  readonly #deliver: Deliver;
  readonly #connection: Unagreed;
  #agreed: Agreed | undefined;
  #calls: ProjectedCalls | undefined;
  #remote: InitializeResponse | undefined;

  constructor(connection: Unagreed, sessions: Map<string, OpenSession>, deliver: Deliver) {
    this.#connection = connection;
    this.#sessions = sessions;
    this.#deliver = deliver;
    void connection.closed.then(({ error }) => this.#failTurns(error));
  }

  get version(): number | undefined {
    return this.#agreed?.version;
  }

  get remote(): InitializeResponse | undefined {
    return this.#remote;
  }

  get closed(): Promise<Closed> {
    return this.#connection.closed;
  }

  get raw(): RawCalls {
    return this.#peer.raw;
  }

  async request(method: string, params?: unknown, options?: RequestOptions): Promise<unknown> {
    if (method === 'initialize') return this.#initialize(params as InitializeRequest, options);
    const peer = this.#peer;
    if (this.#calls === undefined || method.startsWith('_'))
      return (peer as Peer<'client'>).request(method as '_', params, options);
    if (!Object.hasOwn(ProjectedCalls.prototype, method)) throw onlyVersion1(method);
    const call = this.#calls[method as 'logout'];
    return call.call(this.#calls, params, options);
  }

  /** The only notification of version 1 to an agent has the same form in version 2. */
  notify(method: string, params?: unknown): Promise<void> {
    return (this.#peer as Peer<'client'>).notify(method as 'session/cancel', params as { readonly sessionId: string });
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  get #peer(): Agreed {
    if (this.#agreed) return this.#agreed;
    throw new TurnwireError('not-initialized', 'initialize comes first, and has not been answered');
  }

  async #initialize(request: InitializeRequest, options?: RequestOptions): Promise<InitializeResponse> {
    const params = { ...request, ...clientInVersion2(request) };
    const peer = await this.#connection.initialize(params, options);
    this.#agreed = peer;
    if (peer.version === 1) return (this.#remote = peer.remote as InitializeResponse);
    this.#calls = new ProjectedCalls(peer, this.#sessions, this.#deliver);
    return (this.#remote = agentInVersion1(peer.remote as V2Response));
  }

  #failTurns(cause: Error | undefined): void {
    const error = new TurnwireError('connection-closed', 'The connection ended before the turn did', { cause });
    for (const { ends } of this.#sessions.values()) ends.fail(error);
  }
}

function onlyVersion1(method: string): TurnwireError {
  return new TurnwireError('not-advertised', `Version 2 of the protocol, which the agent speaks, has no ${method}`);
}
