import { type FrameAbout, RelayedFrames } from '@turnwire/protocol';

type Id = NonNullable<FrameAbout['id']> | null;
type Params = Readonly<Record<string, unknown>>;

/** A request of the client that waits for its answer. */
interface Pending {
  readonly about: FrameAbout;
  readonly params: Params;
}

/** What a relay has seen, as far as it is needed to connect again in the place of a client that knows nothing of it. */
export class RelayMemory {
  /** What the client began with. */
  #initialize: string | undefined;
  #capabilities: Params | undefined;
  readonly #frames = new RelayedFrames();
  readonly #pending = new Map<Id, Pending>();
  /** Requests of the agent that the client has not answered, and those of a connection that broke. */
  readonly #asked = new Set<Id>();
  readonly #stale = new Set<Id>();
  /** How each session was set up. */
  readonly #sessions = new Map<string, Params>();

  /** The frame to begin a connection with; undefined as long as none was accepted. */
  get initialize(): string | undefined {
    return this.#capabilities && this.#initialize;
  }

  /** Whether a request of the client waits for its answer. */
  get isPending(): boolean {
    return this.#pending.size > 0;
  }

  /** A frame on its way to the agent. Undefined: an answer to a request of a connection that broke, which is not sent. */
  toAgent(text: string): FrameAbout | undefined {
    const about = this.#frames.read('client', text);
    const { kind, id, method, message } = about;
    if (kind === 'answer' && id !== undefined) {
      this.#asked.delete(id);
      if (this.#stale.delete(id)) return undefined;
    }
    if (kind !== 'request' || id === undefined) return about;
    if (method === 'initialize') this.#initialize = text;
    this.#pending.set(id, { about, params: member(message, 'params') });
    return about;
  }

  /** A frame on its way to the client. `isUnsafe`: its id is that of a question which the client has yet to answer. */
  toClient(text: string): { readonly about: FrameAbout; readonly isUnsafe: boolean } {
    const about = this.#frames.read('agent', text);
    const { kind, id, message } = about;
    if (id === undefined || kind === 'notification') return { about, isUnsafe: false };
    if (kind === 'request') {
      const isUnsafe = this.#stale.has(id);
      if (!isUnsafe) this.#asked.add(id);
      return { about, isUnsafe };
    }
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    if (pending && message !== undefined && 'result' in (message as object))
      this.#succeeded(pending, member(message, 'result'));
    return { about, isUnsafe: false };
  }

  /** The connection broke: what was pending, on both sides. It is forgotten. */
  broke(): { readonly unanswered: readonly Id[]; readonly unasked: readonly Id[] } {
    const [unanswered, unasked] = [[...this.#pending.keys()], [...this.#asked]];
    this.#pending.clear();
    this.#asked.clear();
    for (const id of unasked) this.#stale.add(id);
    return { unanswered, unasked };
  }

  /** The requests that bring the sessions back, in the place of the client. */
  restoring(): readonly { readonly sessionId: string; readonly method: string; readonly params: Params }[] {
    const { loadSession, sessionCapabilities } = this.#capabilities ?? {};
    const mayResume = member({ sessionCapabilities }, 'sessionCapabilities')['resume'] !== undefined;
    if (!mayResume && loadSession !== true) return [];
    const method = mayResume ? 'session/resume' : 'session/load';
    return [...this.#sessions].map(([sessionId, params]) => ({ sessionId, method, params: { ...params, sessionId } }));
  }

  /** A session that could not be brought back. */
  lose(sessionId: string): void {
    this.#sessions.delete(sessionId);
  }

  #succeeded({ about: { method, sessionId }, params }: Pending, result: Params): void {
    if (method === 'initialize') this.#capabilities = member(result, 'agentCapabilities');
    if (method === 'session/new' && typeof result['sessionId'] === 'string')
      this.#sessions.set(result['sessionId'], params);
    if (sessionId === undefined) return;
    if (method === 'session/load' || method === 'session/resume') this.#sessions.set(sessionId, params);
    if (method === 'session/close' || method === 'session/delete') this.#sessions.delete(sessionId);
  }
}

/** A member that is an object; an empty one if it is not. */
function member(value: unknown, name: string): Params {
  const found = (value as Params | null)?.[name];
  return typeof found === 'object' && found !== null ? (found as Params) : {};
}
