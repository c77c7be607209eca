import { TurnwireError, checks } from '@turnwire/protocol';
import type { Log, Notice, Peer, SessionUpdate } from '@turnwire/protocol';
import type { SessionEntry } from '../store/session-store.ts';
import type { SessionRecorder } from './session-recorder.ts';
import { storingNotice } from './storing-notice.ts';

/** What an publisher is made of. */
export interface PublisherParts {
  readonly sessionId: string;
  readonly peer: Peer<'agent'>;
  /** Absent: nothing is stored. */
  readonly recorder?: SessionRecorder | undefined;
  readonly log: Log;
}

/** Where everything of a session goes: to the client and into the store. */
export class SessionPublisher {
  readonly sessionId: string;
  readonly peer: Peer<'agent'>;
  readonly log: Log;
  readonly #recorder: SessionRecorder | undefined;
  #isClosed = false;

  constructor({ sessionId, peer, recorder, log }: PublisherParts) {
    this.sessionId = sessionId;
    this.peer = peer;
    this.log = log;
    this.#recorder = recorder;
  }

  /**
   * Tells the client, and stores it unless told otherwise. Resolves when there is room for more.
   * @param stored what to store in its place; null: nothing
   */
  send(update: SessionUpdate, stored: SessionUpdate | null = update): Promise<void> {
    if (this.#isClosed) return this.#drop(update.sessionUpdate);
    // At once, to keep the order; what is not of the protocol will not be sent, and is not stored either.
    if (this.#recorder && stored && checks.SessionUpdate(stored)) this.#recorder.update(stored);
    const sent = this.peer
      .notify('session/update', { sessionId: this.sessionId, update })
      .catch((error: unknown) => this.#unsent(error));
    sent.catch(() => undefined);
    return sent;
  }

  /** Stores an entry. Resolves when it is written; never rejects. */
  async record(entry: SessionEntry): Promise<void> {
    if (this.#isClosed) return this.#drop(entry.type);
    await this.#recorder?.entry(entry);
  }

  /** True if all there is of the session is stored. */
  get isStored(): boolean {
    return this.#recorder?.isStoring ?? false;
  }

  /** What to tell the user if the session cannot be stored, or can be again, and nobody told it yet. */
  takeNotice(): Notice | undefined {
    const change = this.#recorder?.takeChange();
    return change && storingNotice(change);
  }

  /** Remembers what a terminal came to show: whoever loads the session cannot look at it any more. */
  terminalShowed(terminalId: string, output: string): void {
    this.#recorder?.terminalShowed(terminalId, output);
  }

  /** Nothing is told or stored any more: the session may be open elsewhere by then, or gone. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#recorder?.close();
  }

  #drop(detail: string): Promise<void> {
    this.log({ level: 'warn', event: 'something came after its session was closed and was dropped', detail });
    return Promise.resolve();
  }

  // That the client is gone is no fault of the agent's; anything else is a mistake, and logged for those who do not await.
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
