import { hostname } from 'node:os';
import { TurnwireError } from '@turnwire/protocol';
import { sessionInUse } from './session-in-use.ts';
import { cursorAfter, isSameFolder, newestFirst, placeOfCursor } from './session-order.ts';
import type {
  OpenedSession,
  SessionEntry,
  SessionHeader,
  SessionJournal,
  SessionPage,
  SessionQuery,
  SessionStore,
} from './session-store.ts';

interface Held {
  readonly header: SessionHeader;
  /** As JSON, so that nobody changes them afterwards. */
  readonly entries: string[];
  time: number;
  title: string | undefined;
  isOpen: boolean;
}

/** Keeps sessions in memory: they outlive their connection but not the process. For tests, and agents served to several clients. */
export function memoryStore({ pageSize = 50 }: { readonly pageSize?: number } = {}): SessionStore {
  return new MemoryStore(pageSize);
}

class MemoryStore implements SessionStore {
  readonly #pageSize: number;
  readonly #sessions = new Map<string, Held>();

  constructor(pageSize: number) {
    this.#pageSize = pageSize;
  }

  create(header: SessionHeader): Promise<SessionJournal> {
    if (this.#sessions.has(header.id))
      return Promise.reject(new TurnwireError('invalid-input', `There is a session ${header.id} already`));
    const held: Held = { header, entries: [], time: Date.now(), title: header.title, isOpen: true };
    this.#sessions.set(header.id, held);
    return Promise.resolve(journalOf(held));
  }

  open(id: string): Promise<OpenedSession | undefined> {
    const held = this.#sessions.get(id);
    if (held === undefined) return Promise.resolve(undefined);
    if (held.isOpen) return Promise.reject(sessionInUse(id, { pid: process.pid, host: hostname() }));
    held.isOpen = true;
    const entries = held.entries.map((line) => JSON.parse(line) as SessionEntry);
    return Promise.resolve({ header: held.header, entries, journal: journalOf(held) });
  }

  async list({ cwd, cursor }: SessionQuery): Promise<SessionPage> {
    const after = cursor === undefined ? undefined : placeOfCursor(cursor);
    const places = [...this.#sessions.values()]
      .filter(({ header }) => cwd === undefined || isSameFolder(header.cwd, cwd))
      .map((held) => ({ id: held.header.id, time: held.time, held }))
      .toSorted(newestFirst)
      .filter((place) => after === undefined || newestFirst(after, place) < 0);
    const page = places.slice(0, this.#pageSize);
    const last = page.at(-1);
    return {
      sessions: page.map(({ held: { header, title }, time }) => {
        const { title: _, ...begun } = header;
        return { ...begun, ...(title !== undefined && { title }), updatedAt: new Date(time).toISOString() };
      }),
      ...(last !== undefined && places.length > page.length && { nextCursor: cursorAfter(last) }),
    };
  }

  delete(id: string): Promise<void> {
    if (this.#sessions.get(id)?.isOpen) return Promise.reject(sessionInUse(id, { pid: process.pid, host: hostname() }));
    this.#sessions.delete(id);
    return Promise.resolve();
  }
}

function journalOf(held: Held): SessionJournal {
  return {
    append: async (entry) => {
      held.entries.push(JSON.stringify(entry));
      held.time = Date.now();
      if (entry.type === 'title' || entry.type === 'end') held.title = entry.title ?? undefined;
    },
    close: () => {
      held.isOpen = false;
      return Promise.resolve();
    },
  };
}
