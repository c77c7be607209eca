import { TurnwireError, checks } from '@turnwire/protocol';
import type { Log, Notice, SessionUpdate } from '@turnwire/protocol';
import type { SessionEntry } from '../store/session-store.ts';
import type { ClientWire, SessionWire } from '../wire/client-wire.ts';
import type { StateUpdate } from '@turnwire/protocol/translation';
import type { SessionRecorder } from './session-recorder.ts';
import { storingNotice } from './storing-notice.ts';

/** The parts of a publisher. */
export interface PublisherParts {
  readonly sessionId: string;
  readonly client: ClientWire;
  /** Absent: nothing is stored. */
  readonly recorder?: SessionRecorder | undefined;
  readonly log: Log;
  /** Receives each new state of the session. */
  readonly changed?: ((state: StateUpdate) => void) | undefined;
}

/** Sends everything that happens in a session to the client and to the store. */
export class SessionPublisher {
  readonly sessionId: string;
  readonly client: ClientWire;
  /** The session as its client sees it. */
  readonly wire: SessionWire;
  readonly log: Log;
  readonly #recorder: SessionRecorder | undefined;
  #isClosed = false;

  constructor({ sessionId, client, recorder, log, changed }: PublisherParts) {
    this.sessionId = sessionId;
    this.client = client;
    this.wire = client.session(sessionId, changed);
    this.log = log;
    this.#recorder = recorder;
  }

  /**
   * Sends an update to the client and stores it. Resolves when the connection accepts more.
   * @param stored an update to store instead; null: nothing
   */
  send(update: SessionUpdate, stored: SessionUpdate | null = update): Promise<void> {
    if (this.#isClosed) return this.#drop(update.sessionUpdate);
    // At once, to keep the order. An invalid update is not sent, and therefore not stored. An update of an edition is not stored either: the client that loads the session may not support it.
    if (this.#recorder && stored && checks.SessionUpdate(stored)) this.#recorder.update(stored);
    const sent = this.wire.update(update).catch((error: unknown) => this.#unsent(error));
    sent.catch(() => undefined);
    return sent;
  }

  /** Stores an entry. Resolves when it is written; never rejects. */
  async record(entry: SessionEntry): Promise<void> {
    if (this.#isClosed) return this.#drop(entry.type);
    await this.#recorder?.entry(entry);
  }

  /** True if the whole session is stored. */
  get isStored(): boolean {
    return this.#recorder?.isStoring ?? false;
  }

  /** A notice that the session cannot be stored, or can be again, unless it was taken before. */
  takeNotice(): Notice | undefined {
    const change = this.#recorder?.takeChange();
    return change && storingNotice(change);
  }

  /** Records the current output of a terminal: a client that loads the session later cannot read the terminal. */
  recordTerminal(terminalId: string, output: string): void {
    this.#recorder?.recordTerminal(terminalId, output);
  }

  /** Publishes a session that this one starts, to the same client and store. */
  ofChild(sessionId: string, changed: (state: StateUpdate) => void): SessionPublisher {
    const { client, log } = this;
    return new SessionPublisher({ sessionId, client, recorder: this.#recorder?.ofChild(sessionId), log, changed });
  }

  /** Stops sending and storing: the session may be open elsewhere from now on, or deleted. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.wire.close();
    await this.#recorder?.close();
  }

  #drop(detail: string): Promise<void> {
    this.log({ level: 'warn', event: 'an update was dropped because its session is closed', detail });
    return Promise.resolve();
  }

  // A disconnected client is not an error of the agent. Any other failure is, and is logged for callers that do not await.
  #unsent(error: unknown): void {
    if (error instanceof TurnwireError && error.code === 'connection-closed') return;
    this.log({
      level: 'error',
      event: 'an update could not be sent',
      direction: 'out',
      method: 'session/update',
      error,
    });
    throw error;
  }
}
