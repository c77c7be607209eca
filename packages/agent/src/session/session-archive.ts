import { TurnwireError, errorCodes, invalidParams, ProtocolError, resourceNotFound } from '@turnwire/protocol';
import type { ListSessionsRequest, ListSessionsResponse, Log } from '@turnwire/protocol';
import { forkedEntries } from '../store/forked-entries.ts';
import { withOwnChildren } from '../store/own-children.ts';
import { type History, interruption, readHistory } from '../store/history.ts';
import type { SessionHeader, SessionStore, StoredSession } from '../store/session-store.ts';
import { EntryQueue } from './entry-queue.ts';
import { SessionRecorder } from './session-recorder.ts';

/** A stored session that was reopened. */
export interface ReopenedSession {
  readonly history: History;
  readonly wasInterrupted: boolean;
  readonly title: string | null;
  readonly recorder: SessionRecorder;
}

/** Maps the store to the protocol: refusals become error answers, and interrupted turns are closed. */
export class SessionArchive {
  readonly #store: SessionStore;
  readonly #log: Log;

  constructor(store: SessionStore, log: Log) {
    this.#store = store;
    this.#log = log;
  }

  /** Creates a stored session. A session that cannot be stored works anyway: its recorder retries. */
  async begin(header: SessionHeader): Promise<SessionRecorder> {
    const queue = new EntryQueue({ open: () => this.#store.create(header), log: this.#log });
    await queue.write();
    return new SessionRecorder(queue);
  }

  /** @throws ProtocolError -32002 for an unknown session, -32600 if another process has it open */
  async reopen(sessionId: string): Promise<ReopenedSession> {
    const opened = await this.#store.open(sessionId).catch(refuse);
    if (opened === undefined) throw resourceNotFound(`Session not found: ${sessionId}`, { sessionId });
    const { header, entries, journal } = opened;
    const closing = interruption(entries);
    const history = readHistory([...entries, ...closing]);
    const recorder = new SessionRecorder(new EntryQueue({ open: () => Promise.resolve(journal), log: this.#log }));
    for (const entry of closing) await recorder.entry(entry);
    return {
      history,
      wasInterrupted: closing.length > 0,
      title: history.title === undefined ? (header.title ?? null) : history.title,
      recorder,
    };
  }

  /**
   * Stores a session that begins with the history of another.
   * @throws ProtocolError -32002 for an unknown session, -32602 if it has fewer prompts
   */
  async fork(sessionId: string, header: SessionHeader, withoutLast: number): Promise<void> {
    const stored = await this.#store.read?.(sessionId);
    if (stored === undefined) throw resourceNotFound(`Session not found: ${sessionId}`, { sessionId });
    const copied = forkedEntries(stored.entries, withoutLast);
    const entries = withOwnChildren(copied, { source: sessionId, fork: header.id });
    const { title } = stored.header;
    const journal = await this.#store.create({ ...header, ...(title !== undefined && { title }) });
    try {
      for (const entry of entries) await journal.append(entry);
    } finally {
      await journal.close();
    }
  }

  async list({ cwd, cursor }: ListSessionsRequest): Promise<ListSessionsResponse> {
    const query = { ...(cwd && { cwd }), ...(typeof cursor === 'string' && { cursor }) };
    const { sessions, nextCursor } = await this.#store.list(query).catch((error: unknown) => {
      throw isRefusal(error) ? invalidParams(`cursor: ${error.message}`) : error;
    });
    return { sessions: sessions.map(asInfo), ...(nextCursor !== undefined && { nextCursor }) };
  }

  /** @throws ProtocolError -32600 if another process has it open */
  async delete(sessionId: string): Promise<void> {
    await this.#store.delete(sessionId).catch(refuse);
  }
}

function asInfo({
  id,
  cwd,
  additionalDirectories,
  title,
  updatedAt,
}: StoredSession): ListSessionsResponse['sessions'][number] {
  return {
    sessionId: id,
    cwd,
    ...(additionalDirectories.length > 0 && { additionalDirectories }),
    ...(title !== undefined && { title }),
    updatedAt,
  };
}

function refuse(error: unknown): never {
  throw isRefusal(error) ? new ProtocolError(errorCodes.invalidRequest, error.message) : error;
}

function isRefusal(error: unknown): error is TurnwireError {
  return error instanceof TurnwireError && error.code === 'invalid-input';
}
