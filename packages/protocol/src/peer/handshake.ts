import { TurnwireError } from '../turnwire-error.ts';
import type { Edition, EditionTypes } from '../edition.ts';
import type { ClientCapabilities, AgentCapabilities } from '../generated/types.ts';
import type { IncomingRequest } from '../json-rpc/envelope.ts';
import type { Side } from '../side.ts';
import { type Agreement, isAdvertised, type ParamGate, type Refusal, refuseResult } from '../gates.ts';
import type { MethodTable } from './method-table.ts';
import type { PeerOptions } from './peer-types.ts';
import type { PendingRequest } from './pending-requests.ts';
import type { Row } from './rows.ts';

/** The parameters of `initialize`, or its answer. The fields depend on the version. */
export interface Introduction {
  readonly protocolVersion?: unknown;
  readonly [field: string]: unknown;
}

/** The parts of a connection that a handshake reads. */
export interface HandshakeParts {
  readonly side: Side;
  readonly methods: MethodTable;
}

/** An edition that a side offers, with its handlers. */
export interface AnyOffer {
  readonly edition: Edition;
  readonly handlers: object;
}

const capabilityFields = { client: 'clientCapabilities', agent: 'agentCapabilities' };

/**
 * The state of `initialize` on a connection, and the agreement of both sides (protocol: Initialization). It decides which messages may
 * pass; without gates all of them may.
 */
export class Handshake {
  #parts!: HandshakeParts;
  readonly #gated: boolean;
  readonly #keep: NonNullable<PeerOptions['keep']>;
  #state: 'before' | 'under-way' | 'done' = 'before';
  /** While it is under way. */
  #request: Introduction | undefined;
  #remote: Introduction | undefined;
  #agreement: Agreement | undefined;

  constructor({ gates = true, keep = (value) => value }: PeerOptions<EditionTypes>) {
    this.#gated = gates;
    this.#keep = keep;
  }

  /** Called once, when the connection has all its parts. */
  start(parts: HandshakeParts): void {
    this.#parts = parts;
  }

  /** The introduction of the other side. */
  get remote(): Introduction | undefined {
    return this.#remote;
  }

  /** Undefined before the first `initialize` is answered. */
  protected get agreement(): Agreement | undefined {
    return this.#agreement;
  }

  /** False: everything may pass. */
  get isGated(): boolean {
    return this.#gated;
  }

  /** True while `initialize` has been asked and not yet answered, and other messages wait for that. */
  get isUnderWay(): boolean {
    return this.#gated && this.#state === 'under-way';
  }

  /**
   * A received request in the form of the edition that governs the connection, which it chooses if it is `initialize`. Nothing if the
   * request has been answered.
   */
  admit(request: IncomingRequest): IncomingRequest | undefined {
    return request;
  }

  /** @param _pending for a client: the request on its way */
  begin(request: Introduction, _pending?: PendingRequest): void {
    this.#state = 'under-way';
    this.#request = request;
    if (this.#parts.side === 'agent') this.#remote = this.#keep(request);
  }

  /** `initialize` was answered with an error: it may be tried again. An earlier agreement still holds. */
  fail(): void {
    this.#state = this.#agreement === undefined ? 'before' : 'done';
    this.#request = undefined;
  }

  /**
   * `initialize` was answered. Returns an error if the agent chose a version this client does not support.
   * @param fields the names of the capabilities in the request and in the answer
   */
  complete(response: Introduction, fields: typeof capabilityFields = capabilityFields): TurnwireError | undefined {
    const { side, methods } = this.#parts;
    const { protocolVersion } = methods.edition;
    if (this.#gated && side === 'client' && response.protocolVersion !== protocolVersion) {
      return versionMismatch(response, protocolVersion);
    }
    this.#state = 'done';
    if (side === 'client') this.#remote = this.#keep(response);
    this.#agreement = this.#keep({
      client: withoutMeta(this.#request?.[fields.client] as ClientCapabilities),
      agent: withoutMeta(response[fields.agent] as AgentCapabilities),
      authMethods: (response['authMethods'] ?? []) as Agreement['authMethods'],
    });
    this.#request = undefined;
    return undefined;
  }

  /** Why a message of this method must wait for `initialize` or may not follow it; extensions pass. */
  refuseTiming(method: string): Refusal {
    if (!this.#gated) return undefined;
    if (method === 'initialize') return this.#state === 'before' ? undefined : 'initialize comes first, and only once';
    if (this.#state === 'done' || method.startsWith('_') || method.startsWith('$/')) return undefined;
    return `${method} came before initialize was answered`;
  }

  /** True if the handling side advertised the method. */
  advertises(row: Row): boolean {
    return !this.#gated || this.#agreement === undefined || isAdvertised(row, this.#agreement);
  }

  /** Why the parameters ask for more than was advertised. */
  refuseParams(gate: ParamGate | undefined, params: unknown): Refusal {
    return gate && this.#gated && this.#agreement ? gate(params as never, this.#agreement as never) : undefined;
  }

  /** Why the answer to a method holds more than the client advertised. */
  refuseResult(result: unknown, _method: string): Refusal {
    return this.#gated && this.#agreement !== undefined
      ? refuseResult(this.#parts.side, result, this.#agreement)
      : undefined;
  }
}

/** No version in common: the client closes the connection and says so (protocol: Initialization, Version negotiation). */
export function versionMismatch(
  { protocolVersion: theirs, agentInfo }: Introduction,
  ours: number | string,
): TurnwireError {
  const agent = (agentInfo as { readonly name?: string } | undefined)?.name ?? 'The agent';
  return new TurnwireError(
    'version-mismatch',
    `${agent} speaks protocol version ${theirs as number}; this client speaks version ${ours}. The connection was closed: update the older one.`,
  );
}

/** `_meta` may differ between connections and offers nothing, so equal capabilities stay equal without it. */
function withoutMeta<Capabilities extends object>(capabilities: Capabilities | undefined): Capabilities {
  return { ...(capabilities as Capabilities), _meta: undefined };
}
