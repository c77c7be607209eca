import type { SessionStore, StoredSession } from '@turnwire/agent';

const day = 24 * 60 * 60 * 1000;

/**
 * Deletes stored sessions that were unused for this number of days, unless a process has them open. Never rejects: a failed deletion is
 * tried again when the next session begins.
 */
export async function forgetOldSessions(store: SessionStore, days: number): Promise<void> {
  const limit = Date.now() - days * day;
  try {
    for (const { id, updatedAt } of await allSessions(store))
      if (Date.parse(updatedAt) < limit) await store.delete(id).catch(() => undefined);
  } catch {
    // The folder cannot be listed.
  }
}

async function allSessions(store: SessionStore): Promise<readonly StoredSession[]> {
  const all: StoredSession[] = [];
  let cursor: string | undefined;
  do {
    const page = await store.list({ cursor });
    all.push(...page.sessions);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return all;
}
