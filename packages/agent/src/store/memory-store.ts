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

/** Stores sessions in memory: they outlive their connection but not the process. For tests, and for agents that serve several clients. */
export function memoryStore({ pageSize = 50 }: { readonly pageSize?: number } = {}): SessionStore {
  return new MemoryStore(pageSize);
}

class MemoryStore implements SessionStore {
  readonly #pageSize: number;
  readonly #sessions = new Map<string, MemorySession>();

  constructor(pageSize: number) {
    this.#pageSize = pageSize;
  }

  create(header: SessionHeader): Promise<SessionJournal> {
    if (this.#sessions.has(header.id))
      return Promise.reject(new TurnwireError('invalid-input', `Session ${header.id} exists already`));
    const session: MemorySession = { header, entries: [], time: Date.now(), title: header.title, isOpen: true };
    this.#sessions.set(header.id, session);
    return Promise.resolve(journalOf(session));
  }

  open(id: string): Promise<OpenedSession | undefined> {
    const session = this.#sessions.get(id);
    if (session === undefined) return Promise.resolve(undefined);
    if (session.isOpen) return Promise.reject(inUse(id));
    session.isOpen = true;
    return Promise.resolve({ header: session.header, entries: entriesOf(session), journal: journalOf(session) });
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

  delete(id: string): Promise<void> {
    if (this.#sessions.get(id)?.isOpen) return Promise.reject(inUse(id));
    this.#sessions.delete(id);
    return Promise.resolve();
  }
}

function entriesOf({ entries }: MemorySession): readonly SessionEntry[] {
  return entries.map((line) => JSON.parse(line) as SessionEntry);
}

function inUse(id: string): TurnwireError {
  return new TurnwireError('invalid-input', `Session ${id} is in use by this process: close it there first`);
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
