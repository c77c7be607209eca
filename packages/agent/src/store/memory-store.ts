import { TurnwireError } from '@turnwire/protocol';
import { cursorAfter, isSameFolder, newestFirst, positionOfCursor } from './session-order.ts';
import type {
  OpenedSession,
  ReadSession,
  SessionEntry,
  SessionHeader,
  SessionJournal,
  SessionPage,
  SessionQuery,
  SessionStore,
} from './session-store.ts';

interface MemorySession {
  readonly header: SessionHeader;
  /** As JSON, so that callers cannot change them afterwards. */
  readonly entries: string[];
  time: number;
  title: string | undefined;
  isOpen: boolean;
}

/** Options of a {@link memoryStore}. All have defaults. */
export interface MemoryStoreOptions {
  /** Sessions per page of a list. Default 50. */
  readonly pageSize?: number | undefined;
  /**
   * Milliseconds to wait for a session that another connection still has open: a client that reconnects is often faster than the end of its
   * former connection. Default 3,000.
   */
  readonly openTimeout?: number | undefined;
}

/** Stores sessions in memory: they outlive their connection but not the process. For tests, and for agents that serve several clients. */
export function memoryStore(options: MemoryStoreOptions = {}): SessionStore {
  return new MemoryStore(options);
}

class MemoryStore implements SessionStore {
  readonly #pageSize: number;
  readonly #openTimeout: number;
  readonly #sessions = new Map<string, MemorySession>();

  constructor({ pageSize = 50, openTimeout = 3_000 }: MemoryStoreOptions) {
    this.#pageSize = pageSize;
    this.#openTimeout = openTimeout;
  }

  create(header: SessionHeader): Promise<SessionJournal> {
    if (this.#sessions.has(header.id))
      return Promise.reject(new TurnwireError('invalid-input', `Session ${header.id} exists already`));
    const session: MemorySession = { header, entries: [], time: Date.now(), title: header.title, isOpen: true };
    this.#sessions.set(header.id, session);
    return Promise.resolve(journalOf(session));
  }

  open(id: string): Promise<OpenedSession | undefined> {
    return this.#onceClosed(id, (session) => {
      if (session === undefined) return undefined;
      session.isOpen = true;
      return { header: session.header, entries: entriesOf(session), journal: journalOf(session) };
    });
  }

  read(id: string): Promise<ReadSession | undefined> {
    const session = this.#sessions.get(id);
    return Promise.resolve(session && { header: session.header, entries: entriesOf(session) });
  }

  async list({ cwd, cursor }: SessionQuery): Promise<SessionPage> {
    const after = cursor === undefined ? undefined : positionOfCursor(cursor);
    const positions = [...this.#sessions.values()]
      .filter(({ header }) => cwd === undefined || isSameFolder(header.cwd, cwd))
      .map((session) => ({ id: session.header.id, time: session.time, session }))
      .toSorted(newestFirst)
      .filter((position) => after === undefined || newestFirst(after, position) < 0);
    const page = positions.slice(0, this.#pageSize);
    const last = page.at(-1);
    return {
      sessions: page.map(({ session: { header, title }, time }) => {
        const { title: _, ...begun } = header;
        return { ...begun, ...(title !== undefined && { title }), updatedAt: new Date(time).toISOString() };
      }),
      ...(last !== undefined && positions.length > page.length && { nextCursor: cursorAfter(last) }),
    };
  }

  async delete(id: string): Promise<void> {
    await this.#onceClosed(id, () => this.#sessions.delete(id));
  }

  /** Waits while the session is open, and takes it in the same tick: several connections may wait for it. */
  async #onceClosed<Result>(id: string, take: (session: MemorySession | undefined) => Result): Promise<Result> {
    for (const started = performance.now(); ; await nextLook()) {
      const session = this.#sessions.get(id);
      if (!session?.isOpen) return take(session);
      if (performance.now() - started > this.#openTimeout)
        throw new TurnwireError('invalid-input', `Session ${id} is in use by this process: close it there first`);
    }
  }
}

function nextLook(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 15));
}

function entriesOf({ entries }: MemorySession): readonly SessionEntry[] {
  return entries.map((line) => JSON.parse(line) as SessionEntry);
}

function journalOf(session: MemorySession): SessionJournal {
  return {
    append: async (entry) => {
      session.entries.push(JSON.stringify(entry));
      session.time = Date.now();
      if (entry.type === 'title' || entry.type === 'end') session.title = entry.title ?? undefined;
    },
    close: () => {
      session.isOpen = false;
      return Promise.resolve();
    },
  };
}
