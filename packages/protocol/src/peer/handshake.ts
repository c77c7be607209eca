import { TurnwireError } from '../turnwire-error.ts';
import type { InitializeRequest, InitializeResponse } from '../generated/types.ts';
import type { Side } from '../side.ts';
import { type Agreement, isAdvertised, type ParamGate, type Refusal, refuseResult } from '../gates.ts';
import type { PeerOptions } from './peer-types.ts';
import type { Row } from './rows.ts';

/**
 * Where a connection is on its way through `initialize`, and what the two sides agreed on
 * (protocol: Initialization). Knows which messages may pass; without gates all of them may.
 */
export class Handshake {
  readonly #side: Side;
  readonly #protocolVersion: number;
  readonly #gated: boolean;
  readonly #keep: NonNullable<PeerOptions['keep']>;
  #state: 'before' | 'under-way' | 'done' = 'before';
  /** While it is under way. */
  #request: InitializeRequest | undefined;
  #remote: InitializeRequest | InitializeResponse | undefined;
  #agreement: Agreement | undefined;

  constructor(
    side: Side,
    protocolVersion: number,
    { gates = true, keep = (value) => value }: Pick<PeerOptions, 'gates' | 'keep'>,
  ) {
    this.#side = side;
    this.#protocolVersion = protocolVersion;
    this.#gated = gates;
    this.#keep = keep;
  }

  /** What the other side said of itself. */
  get remote(): InitializeRequest | InitializeResponse | undefined {
    return this.#remote;
  }

  /** False: everything may pass. */
  get isGated(): boolean {
    return this.#gated;
  }

  /** True while `initialize` has been asked and not yet answered, and other messages wait for that. */
  get isUnderWay(): boolean {
    return this.#gated && this.#state === 'under-way';
  }

  begin(request: InitializeRequest): void {
    this.#state = 'under-way';
    this.#request = request;
    if (this.#side === 'agent') this.#remote = this.#keep(request);
  }

  /** `initialize` was answered with an error: it may be tried again. */
  fail(): void {
    this.#state = 'before';
  }

  /** `initialize` was answered. Returns an error if the agent chose a version this client does not support. */
  complete(response: InitializeResponse): TurnwireError | undefined {
    if (this.#gated && this.#side === 'client' && response.protocolVersion !== this.#protocolVersion) {
      return versionMismatch(response, this.#protocolVersion);
    }
    this.#state = 'done';
    if (this.#side === 'client') this.#remote = this.#keep(response);
    this.#agreement = this.#keep({
      client: withoutMeta(this.#request?.clientCapabilities),
      agent: withoutMeta(response.agentCapabilities),
      authMethods: response.authMethods ?? [],
    });
    this.#request = undefined;
    return undefined;
  }

  /** Why a message of this method must wait for `initialize` or may not follow it; extensions pass. */
  refuseTiming(method: string): Refusal {
    if (!this.#gated) return undefined;
    if (method === 'initialize')
      return this.#state === 'before' ? undefined : 'initialize may be called only once, at the start';
    if (this.#state === 'done' || method.startsWith('_') || method.startsWith('$/')) return undefined;
    return `${method} came before initialize was answered`;
  }

  /** True if the handling side advertised the method. */
  advertises(row: Row): boolean {
    return !this.#gated || this.#agreement === undefined || isAdvertised(row, this.#agreement);
  }

  /** Why the parameters ask for more than was advertised. */
  refuseParams(gate: ParamGate | undefined, params: unknown): Refusal {
    return gate && this.#gated && this.#agreement ? gate(params as never, this.#agreement) : undefined;
  }

  /** Why the answer holds more than the client advertised. */
  refuseResult(result: unknown): Refusal {
    return this.#gated && this.#agreement !== undefined ? refuseResult(this.#side, result, this.#agreement) : undefined;
  }
}

/** No version in common: the client closes the connection and says so (protocol: Initialization, Version negotiation). */
function versionMismatch({ protocolVersion: theirs, agentInfo }: InitializeResponse, ours: number): TurnwireError {
  const agent = agentInfo?.name ?? 'The agent';
  return new TurnwireError(
    'version-mismatch',
    `${agent} speaks protocol version ${theirs}; this client speaks version ${ours}. The connection was closed: update whichever is older.`,
  );
}

/** What is offered never depends on `_meta`, which may differ from one connection to the next. */
function withoutMeta<Capabilities extends object>(capabilities: Capabilities | undefined): Capabilities {
  return { ...(capabilities as Capabilities), _meta: undefined };
}
