import { asMessage, at, isOffered, objectsIn, type RawMessage } from '../wire/messages.ts';
import type { Frame } from './frame.ts';
import { SessionFacts } from './session-facts.ts';

export class Facts {
  /** Capabilities of clients, one entry per `initialize`; any of them may apply. */
  readonly #clientOffers: RawMessage[] = [];
  readonly #agentOffers: RawMessage[] = [];
  readonly #sessions = new Map<string, SessionFacts>();
  /** Login methods that the agent listed. */
  readonly authMethods: RawMessage[] = [];

  /** Records a frame. Rules see the facts including the frame they judge. */
  take(frame: Frame): void {
    if (frame.method === 'initialize') this.#initialize(frame);
    const isOpening = ['session/new', 'session/load', 'session/resume', 'session/fork'].includes(frame.method);
    const id = frame.result?.['sessionId'] ?? frame.request?.params['sessionId'];
    const created = frame.isSuccess && isOpening && typeof id === 'string' ? id : undefined;
    if (created !== undefined) this.#sessions.set(created, this.#sessions.get(created) ?? new SessionFacts(created));
    if (frame.sessionId !== undefined) this.session(frame.sessionId).take(frame);
    else if (created !== undefined) this.session(created).take(frame);
  }

  /** Whether an `initialize` was seen. A trace may begin later, and then nothing is known. */
  get isClientKnown(): boolean {
    return this.#clientOffers.length > 0;
  }

  get isAgentKnown(): boolean {
    return this.#agentOffers.length > 0;
  }

  /** Whether the client offers a capability; undefined if its capabilities are unknown. */
  clientOffers(path: string): boolean | undefined {
    return offers(this.#clientOffers, path);
  }

  agentOffers(path: string): boolean | undefined {
    return offers(this.#agentOffers, path);
  }

  /** The value of a capability as it was last sent; the empty path returns all capabilities. */
  capability(side: 'agent' | 'client', path: string): unknown {
    const sent = (side === 'agent' ? this.#agentOffers : this.#clientOffers).at(-1);
    return path === '' ? sent : at(sent, ...path.split('.'));
  }

  /** The facts of a session; created for sessions that were not opened on this connection. */
  session(id: string): SessionFacts {
    const known = this.#sessions.get(id) ?? new SessionFacts(id);
    this.#sessions.set(id, known);
    return known;
  }

  get sessions(): readonly SessionFacts[] {
    return [...this.#sessions.values()];
  }

  #initialize(frame: Frame): void {
    const isV2 = frame.edition.protocolVersion === 2;
    if (frame.kind === 'request')
      this.#clientOffers.push(asMessage(frame.params[isV2 ? 'capabilities' : 'clientCapabilities']) ?? {});
    const { result } = frame;
    if (frame.kind !== 'answer' || result === undefined) return;
    this.#agentOffers.push(asMessage(result[isV2 ? 'capabilities' : 'agentCapabilities']) ?? {});
    this.authMethods.push(...objectsIn(result['authMethods']));
  }
}

function offers(sent: readonly RawMessage[], path: string): boolean | undefined {
  return sent.length === 0 ? undefined : sent.some((capabilities) => isOffered(capabilities, path));
}
