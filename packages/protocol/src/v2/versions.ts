import { type Dialect, lenientAgent, lenientClient } from '../dialects/index.ts';
import type { Edition, EditionTypes } from '../edition.ts';
import { isObject } from '../json-rpc/json-object.ts';
import type { MethodName, Params } from '../method-types.ts';
import { Connection, type ConnectionParts } from '../peer/connection.ts';
import type { AnyOffer } from '../peer/handshake.ts';
import type { Closed, Handlers, Peer, PeerOptions, RequestOptions } from '../peer/peer-types.ts';
import { ProtocolError } from '../protocol-error.ts';
import type { Side } from '../side.ts';
import type { Transport } from '../transport.ts';
import { unsupportedProtocolVersion } from './negotiation.ts';

/** An edition that a side offers, with its handlers. */
export interface Offer<S extends Side, E extends EditionTypes> {
  readonly edition: Edition<E>;
  readonly handlers: Handlers<S, E>;
}

/** A peer whose version is agreed on: `peer.version` narrows the types of its calls. */
export type AgreedPeer<S extends Side, E extends EditionTypes> = Peer<S, E> & { readonly version: E['version'] };

type Options = Omit<PeerOptions<EditionTypes>, 'edition'>;

/**
 * Makes the agent's end of a connection that speaks either of two versions, the older one first: the highest that is not above the one
 * the client asks for. Handlers of the other version are never called.
 *
 * @example
 * connectAgentVersions(transport, [
 *   { edition: v1, handlers: { initialize: () => ({ protocolVersion: 1 }) } },
 *   { edition: v2, handlers: { initialize: () => ({ protocolVersion: 2, info }) } },
 * ]);
 */
export function connectAgentVersions<A extends EditionTypes, B extends EditionTypes>(
  transport: Transport,
  offers: readonly [Offer<'agent', A>, Offer<'agent', B>],
  options: Options = {},
): Peer<'agent', A> | Peer<'agent', B> {
  const connection: unknown = new Connection('agent', transport, partsOf(offers, options, lenientAgent));
  return connection as Peer<'agent', A> | Peer<'agent', B>;
}

/** The client's end of a connection that has not agreed on a version yet. */
export interface ClientVersions<A extends EditionTypes, B extends EditionTypes> {
  /**
   * Asks for the newer version, and takes the older one if the agent has only that. The parameters are those of both versions in one
   * object. If the agent refuses the version (-32022) and names one that this client has, the client asks for that one.
   * @throws {TurnwireError} `version-mismatch` if there is no common version; the connection is closed then
   */
  initialize(
    params: Introductions<A, B>,
    options?: RequestOptions,
  ): Promise<AgreedPeer<'client', A> | AgreedPeer<'client', B>>;
  /** Resolves when the connection is over; never rejects. */
  readonly closed: Promise<Closed>;
  /** Ends the connection. */
  close(): Promise<void>;
}

type Introduction<E extends EditionTypes> = Omit<Params<'initialize' & MethodName<E>, E>, 'protocolVersion'>;
type Introductions<A extends EditionTypes, B extends EditionTypes> = Introduction<A> & Introduction<B>;

/**
 * Makes the client's end of a connection that speaks either of two versions, the older one first.
 *
 * @example
 * const client = connectClientVersions(transport, [{ edition: v1, handlers: {} }, { edition: v2, handlers: {} }]);
 * const agent = await client.initialize({ info, clientInfo: info, capabilities: {}, clientCapabilities: {} });
 * if (agent.version === 2) await agent.request('session/new', { cwd: '/' });
 */
export function connectClientVersions<A extends EditionTypes, B extends EditionTypes>(
  transport: Transport,
  offers: readonly [Offer<'client', A>, Offer<'client', B>],
  options: Options = {},
): ClientVersions<A, B> {
  const connection = new Connection('client', transport, partsOf(offers, options, lenientClient));
  const versions = offers.map(({ edition }) => edition.protocolVersion);
  return {
    initialize: async (params, requestOptions) => {
      const ask = (protocolVersion: number): Promise<unknown> =>
        connection.request('initialize', { ...params, protocolVersion }, requestOptions);
      await ask(Math.max(...versions)).catch((error: unknown) => {
        const common = commonVersion(error, versions);
        if (common === undefined) throw error;
        return ask(common);
      });
      return connection as unknown as AgreedPeer<'client', A> | AgreedPeer<'client', B>;
    },
    closed: connection.closed,
    close: () => connection.close(),
  };
}

/** A connection begins with the newest edition. */
function partsOf(offers: readonly [AnyOffer, AnyOffer], options: Options, lenient: Dialect): ConnectionParts {
  const [, { edition, handlers }] = offers;
  const dialect = options.dialect ?? lenient;
  return { handlers, options: { edition, ...options, dialect }, dialect, offers };
}

/** The newest version that both sides have, if the agent refused one and named others. */
function commonVersion(error: unknown, versions: readonly number[]): number | undefined {
  if (!(error instanceof ProtocolError) || error.code !== unsupportedProtocolVersion) return undefined;
  const supported = isObject(error.data) ? error.data['supported'] : undefined;
  return Array.isArray(supported) ? versions.findLast((version) => supported.includes(version)) : undefined;
}
