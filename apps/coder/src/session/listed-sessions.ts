import type { SessionStore, StoredSession } from '@turnwire/agent';

/**
 * A store that lists only sessions with a title, which the first model call sets: some clients begin a session for every window. The others
 * can still be loaded and deleted.
 */
export function listsTitled(store: SessionStore): SessionStore {
  return {
    create: (header) => store.create(header),
    open: (id) => store.open(id),
    delete: (id) => store.delete(id),
    read: store.read && ((id) => store.read?.(id) ?? Promise.resolve(undefined)),
    list: async (query) => {
      let page = await store.list(query);
      let sessions: readonly StoredSession[] = titled(page.sessions);
      // A page without an entry looks like the end.
      while (sessions.length === 0 && page.nextCursor !== undefined) {
        page = await store.list({ ...query, cursor: page.nextCursor });
        sessions = titled(page.sessions);
      }
      return { ...page, sessions };
    },
  };
}

function titled(sessions: readonly StoredSession[]): readonly StoredSession[] {
  return sessions.filter(({ title }) => title !== undefined);
}
