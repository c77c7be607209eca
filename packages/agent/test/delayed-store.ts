import { memoryStore } from '../src/index.ts';
import type { SessionEntry, SessionJournal, SessionStore } from '../src/index.ts';

/** A store that does something before each entry is stored. */
export function delayedStore(before: (entry: SessionEntry) => Promise<void>): SessionStore {
  const inner = memoryStore();
  const delayed = (journal: SessionJournal): SessionJournal => ({
    append: async (entry) => {
      await before(entry);
      await journal.append(entry);
    },
    close: () => journal.close(),
  });
  return {
    create: async (header) => delayed(await inner.create(header)),
    open: async (id) => {
      const opened = await inner.open(id);
      return opened && { ...opened, journal: delayed(opened.journal) };
    },
    list: (query) => inner.list(query),
    delete: (id) => inner.delete(id),
  };
}
