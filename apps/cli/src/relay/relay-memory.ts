import { type FrameAbout, RelayedFrames } from '@turnwire/protocol';

type Id = NonNullable<FrameAbout['id']> | null;
type Params = Readonly<Record<string, unknown>>;

/** An unanswered request of the client. */
interface Pending {
  readonly about: FrameAbout;
  readonly params: Params;
}

/** The state that a relay needs to reconnect on behalf of its client, which does not notice: the handshake, open requests and sessions. */
export class RelayMemory {
  /** The client's `initialize` request. */
  #initialize: string | undefined;
  #capabilities: Params | undefined;
  readonly #frames = new RelayedFrames();
  readonly #pending = new Map<Id, Pending>();
  /** Ids of unanswered requests of the agent. */
  readonly #asked = new Set<Id>();
  /** Ids of unanswered requests from a connection that has broken. */
  readonly #stale = new Set<Id>();
  /** The setup parameters of each open session. */
  readonly #sessions = new Map<string, Params>();

  /** The frame that opens a connection; undefined until the agent has accepted it once. */
  get initialize(): string | undefined {
    return this.#capabilities && this.#initialize;
  }

  /** Whether a request of the client is unanswered. */
  get isPending(): boolean {
    return this.#pending.size > 0;
  }

  /** Records a frame for the agent. Returns undefined for an answer to a request from a broken connection, which must not be sent. */
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

  /** Records a frame for the client. `isUnsafe`: a request with this id, from a broken connection, is still unanswered. */
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

  /** Clears the pending requests of a broken connection and returns their ids: `unanswered` of the client, `unasked` of the agent. */
  broke(): { readonly unanswered: readonly Id[]; readonly unasked: readonly Id[] } {
    const [unanswered, unasked] = [[...this.#pending.keys()], [...this.#asked]];
    this.#pending.clear();
    this.#asked.clear();
    for (const id of unasked) this.#stale.add(id);
    return { unanswered, unasked };
  }

  /** The requests that restore the sessions on behalf of the client. */
  restoring(): readonly { readonly sessionId: string; readonly method: string; readonly params: Params }[] {
    const { loadSession, sessionCapabilities } = this.#capabilities ?? {};
    const mayResume = member({ sessionCapabilities }, 'sessionCapabilities')['resume'] !== undefined;
    if (!mayResume && loadSession !== true) return [];
    const method = mayResume ? 'session/resume' : 'session/load';
    return [...this.#sessions].map(([sessionId, params]) => ({ sessionId, method, params: { ...params, sessionId } }));
  }

  /** Forgets a session that could not be restored. */
  lose(sessionId: string): void {
    this.#sessions.delete(sessionId);
  }

  #succeeded({ about: { method, sessionId }, params }: Pending, result: Params): void {
    if (method === 'initialize') this.#capabilities = capabilitiesIn(result);
    if (method === 'session/new' && typeof result['sessionId'] === 'string')
      this.#sessions.set(result['sessionId'], params);
    if (sessionId === undefined) return;
    if (method === 'session/load' || method === 'session/resume') {
      // The client has the history that version 2 replays from there.
      const { replayFrom: _, ...setup } = params;
      this.#sessions.set(sessionId, setup);
    }
    if (method === 'session/close' || method === 'session/delete') this.#sessions.delete(sessionId);
  }
}

/** The capabilities of an agent as in version 1. In version 2 every agent with sessions can resume them. */
function capabilitiesIn(result: Params): Params {
  const hasSessions = member(result, 'capabilities')['session'] !== undefined;
  return hasSessions ? { sessionCapabilities: { resume: {} } } : member(result, 'agentCapabilities');
}

/** A member that is an object; otherwise an empty object. */
function member(value: unknown, name: string): Params {
  const found = (value as Params | null)?.[name];
  return typeof found === 'object' && found !== null ? (found as Params) : {};
}
