import { strict } from '../dialects/index.ts';
import type { EditionTypes } from '../edition.ts';
import type { Refusal } from '../gates.ts';
import type { IncomingRequest } from '../json-rpc/envelope.ts';
import { isObject } from '../json-rpc/json-object.ts';
import { type AnyOffer, Handshake, type Introduction, versionMismatch } from '../peer/handshake.ts';
import { MethodTable } from '../peer/method-table.ts';
import type { Parts } from '../peer/parts.ts';
import type { PeerOptions } from '../peer/peer-types.ts';
import type { PendingRequest } from '../peer/pending-requests.ts';
import type { Reader } from '../peer/reader.ts';
import type { Row } from '../peer/rows.ts';
import { errorCodes, ProtocolError } from '../protocol-error.ts';
import type { TurnwireError } from '../turnwire-error.ts';
import { acceptVersion } from './negotiation.ts';

/**
 * The handshake of a side that offers version 2, alone or with an older version. `initialize` agrees on a version and comes before every
 * other message. In version 2 it may be repeated until another request is handled.
 */
export class NegotiatingHandshake extends Handshake {
  #parts!: Parts;
  readonly #options: PeerOptions<EditionTypes>;
  /** Oldest first. */
  #offers: readonly AnyOffer[] = [];
  #isRepeatable = false;
  /** While `initialize` is repeated: the `remote` before it. */
  #earlier: Introduction | undefined;
  /** After a repeated `initialize` has failed: the `remote` that still holds. */
  #kept: Introduction | undefined;

  constructor(options: PeerOptions<EditionTypes>) {
    super(options);
    this.#options = options;
  }

  override start(parts: Parts): void {
    super.start(parts);
    this.#parts = parts;
    this.#offers = parts.offers ?? [{ edition: parts.methods.edition, handlers: parts.handlers }];
    this.#speak(this.#versions.at(-1));
  }

  override get remote(): Introduction | undefined {
    return this.#kept ?? super.remote;
  }

  /** In version 2 other messages do not wait for the answer to `initialize`: they are refused. */
  override get isUnderWay(): boolean {
    return super.isUnderWay && !this.#isVersion2;
  }

  override admit(request: IncomingRequest): IncomingRequest | undefined {
    const { id, method } = request;
    if (this.#isVersion2 && typeof id !== 'string' && !Number.isInteger(id)) return this.#refuseId();
    if (method !== 'initialize' || !this.isGated || this.refuseTiming(method) !== undefined) return request;
    const { protocolVersion } = this.#parts.methods.edition;
    const { params } = request;
    if (this.agreement && isObject(params) && (params['protocolVersion'] as number) < protocolVersion) {
      const reason = `initialize may be repeated only with version ${protocolVersion} or newer`;
      throw new ProtocolError(errorCodes.invalidRequest, `Invalid request: ${reason}`);
    }
    const accepted = acceptVersion(params, this.agreement ? [protocolVersion] : this.#versions);
    this.#speak(accepted.version);
    return { ...request, params: accepted.params };
  }

  /** An id that is not one is not repeated in the answer. */
  #refuseId(): undefined {
    const { journal, wire } = this.#parts;
    const reason = 'id must be a string or an integer';
    journal.warning('warn', 'a malformed message was dropped', { direction: 'in', detail: reason });
    wire.complain({ code: errorCodes.invalidRequest, message: `Invalid request: ${reason}` });
  }

  override begin(request: Introduction, pending?: PendingRequest): void {
    this.#earlier = this.agreement && this.remote;
    this.#kept = undefined;
    super.begin(request);
    if (pending !== undefined) pending.method = { ...pending.method, results: this.#results() };
  }

  /** Reads the answer to `initialize` in the edition of its version. An answer of another version is not read, only refused. */
  #results(): Reader {
    let reader: Reader | undefined;
    const results: Pick<Reader, 'filled' | 'fits' | 'repair'> = {
      filled: (value) => {
        const version = isObject(value) ? value['protocolVersion'] : undefined;
        const isRead = this.#speak(version) || !this.isGated || !Number.isInteger(version);
        reader = isRead ? this.#parts.methods.outgoing('initialize', 'request').results : undefined;
        return reader ? reader.filled(value) : value;
      },
      fits: (value) => reader?.fits(value) ?? true,
      repair: (value, context) => (reader as Reader).repair(value, context),
    };
    return results as Reader;
  }

  override fail(): void {
    super.fail();
    this.#kept = this.#earlier;
  }

  override complete(response: Introduction): TurnwireError | undefined {
    const isOther = !this.#versions.includes(response.protocolVersion as number);
    if (isOther && this.isGated && this.#parts.side === 'client')
      return versionMismatch({ agentInfo: response['info'], ...response }, this.#versions.join(' or '));
    this.#isRepeatable = this.#isVersion2;
    return this.#isVersion2
      ? super.complete(response, { client: 'capabilities', agent: 'capabilities' })
      : super.complete(response);
  }

  override refuseTiming(method: string): Refusal {
    const isEarly = !this.agreement || super.isUnderWay;
    if (!isEarly && this.#isRepeatable && method === 'initialize') return undefined;
    if (isEarly && this.isGated && this.#isVersion2 && method.startsWith('_'))
      return `${method} came before initialize was answered`;
    return super.refuseTiming(method);
  }

  /** A request to the agent that is advertised is handled: after it `initialize` is not repeated. */
  override advertises(row: Row): boolean {
    const isLogin = row.capabilities[0] === 'authMethods' && this.isGated && this.agreement !== undefined;
    const isAdvertised = isLogin ? this.#hasLogins : super.advertises(row);
    if (isAdvertised && row.side === 'agent' && row.kind === 'request' && row.method !== 'initialize')
      this.#isRepeatable = false;
    return isAdvertised;
  }

  override refuseResult(result: unknown, method: string): Refusal {
    if (!this.#isVersion2) return super.refuseResult(result, method);
    const { side, methods } = this.#parts;
    const { protocolVersion } = methods.edition;
    const isOther = method === 'initialize' && (result as Introduction).protocolVersion !== protocolVersion;
    return isOther && this.isGated && side === 'agent'
      ? `protocolVersion: expected ${protocolVersion}, on which the connection agreed`
      : undefined;
  }

  get #hasLogins(): boolean {
    const logins: unknown = this.agreement?.authMethods;
    return Array.isArray(logins) && logins.length > 0;
  }

  get #isVersion2(): boolean {
    return this.#parts.methods.edition.handshake !== undefined;
  }

  get #versions(): readonly number[] {
    return this.#offers.map(({ edition }) => edition.protocolVersion);
  }

  /** From now on the edition of this version governs the connection. False if it is not offered. */
  #speak(version: unknown): boolean {
    const offer = this.#offers.find(({ edition }) => edition.protocolVersion === version);
    if (offer === undefined) return false;
    const { edition, handlers } = offer;
    const dialect = edition.handshake ? strict : (this.#options.dialect ?? strict);
    const methods = MethodTable.of(edition, dialect);
    Object.assign(this.#parts, { methods, dialect, handlers });
    return true;
  }
}
