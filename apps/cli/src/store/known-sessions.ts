import type { TranscriptEvent } from '@turnwire/client/transcript';
import type { SessionFacts, SessionRecord as StoredSession } from '@turnwire/runtime';
import { contentText } from '@turnwire/client/view';
import { cleanLine } from '../terminal/clean-text.ts';
import { NamedSessions } from './named-sessions.ts';
import { type RecentSession, sessionKey } from './recent-session.ts';
import { RecentSessions } from './recent-sessions.ts';
import type { SessionRecord } from './session-record.ts';

/** A session that can be continued: of a chat, of `exec`, of a server, or one that was stored with `sessions new`. */
export interface KnownSession extends Omit<RecentSession, 'usedBy'> {
  readonly usedBy?: RecentSession['usedBy'];
  /** The id of a stored session. */
  readonly recordId?: string;
  readonly name?: string;
  /** Set if a server of this user may be using the session: `--continue` skips it, and `--resume` continues it on request. */
  readonly isServed?: true;
}

/** All prompted sessions that can be continued, last used first. */
export async function knownSessions(): Promise<readonly KnownSession[]> {
  const [recent, { named: stored, served }] = await Promise.all([new RecentSessions().list(), storedSessions()]);
  const known = new Map<string, KnownSession>(recent.map((session) => [sessionKey(session), session]));
  // A chat may have continued a stored session.
  for (const session of stored) {
    const other = known.get(sessionKey(session));
    const turns = (session.turns ?? 0) + (other?.turns ?? 0);
    const lastUsedAt = Math.max(session.lastUsedAt, other?.lastUsedAt ?? 0);
    known.set(sessionKey(session), { ...other, ...session, turns, lastUsedAt });
  }
  // A session that was prompted through its server is recorded under the id of the server.
  const ids = new Set(recent.map(({ sessionId }) => sessionId));
  for (const session of served)
    if (!ids.has(session.servedId) && !known.has(sessionKey(session))) known.set(sessionKey(session), session);
  return [...known.values()].toSorted((one, other) => other.lastUsedAt - one.lastUsedAt);
}

/** The sessions with this id or this start of an id; if there are none, those with this name, then those with all these words. */
export function matchingSessions(query: string, sessions: readonly KnownSession[]): readonly KnownSession[] {
  const wanted = query.trim().toLowerCase();
  const words = wanted.split(/\s+/);
  const ways: readonly ((session: KnownSession) => boolean)[] = [
    ({ sessionId, recordId }) => sessionId === query || recordId === query,
    (session) => /^[0-9a-f]{4,16}$/.test(wanted) && sessionKey(session).startsWith(wanted),
    ({ name }) => name === query,
    (session) => words.every((word) => session.words.toLowerCase().includes(word)),
  ];
  return ways.map((fits) => sessions.filter(fits)).find((found) => found.length > 0) ?? [];
}

/** The shortest unambiguous prefixes of the sessions' ids, with at least four digits. */
export function shortIds(sessions: readonly KnownSession[]): ReadonlyMap<KnownSession, string> {
  const keys = sessions.map((session) => sessionKey(session)).toSorted();
  const shared = (one: string, other = ''): number => one.split('').findIndex((digit, index) => digit !== other[index]);
  return new Map(
    sessions.map((session) => {
      const key = sessionKey(session);
      const index = keys.indexOf(key);
      return [session, key.slice(0, Math.max(4, 1 + shared(key, keys[index - 1]), 1 + shared(key, keys[index + 1])))];
    }),
  );
}

/** The sessions in the database; empty if the database engine is not installed. */
async function storedSessions(): Promise<{
  readonly named: readonly KnownSession[];
  readonly served: readonly ServedSession[];
}> {
  try {
    await using sessions = new NamedSessions();
    const prompted = (await sessions.list()).filter(
      ({ lastPromptAt, sessionId, closedAt, canLoad }) =>
        lastPromptAt !== undefined && sessionId !== undefined && closedAt === undefined && canLoad !== false,
    );
    const named = await Promise.all(prompted.map((record) => knownSession(record, sessions)));
    return { named, served: (await sessions.listServed()).flatMap((record) => servedSession(record)) };
  } catch {
    return { named: [], served: [] };
  }
}

type ServedSession = KnownSession & { readonly servedId: string };

function servedSession({ id, agent, cwd, title, updatedAt, closedAt, facts }: StoredSession): readonly ServedSession[] {
  const { agentSessionId: sessionId, isPrompted, canRestore } = facts as SessionFacts;
  if (sessionId === undefined || !isPrompted || canRestore === false || closedAt !== null) return [];
  const words = cleanLine(title ?? '');
  return [{ agent: { name: agent }, sessionId, cwd, words, lastUsedAt: updatedAt, isServed: true, servedId: id }];
}

async function knownSession(
  { id: recordId, agent, sessionId = '', cwd, name, title, lastUsedAt, modeId, configOptions: options }: SessionRecord,
  sessions: NamedSessions,
): Promise<KnownSession> {
  const { first, turns } = await promptsOf(sessions, recordId);
  return {
    ...{ recordId, agent, sessionId, cwd, turns },
    ...(name !== undefined && { name }),
    words: cleanLine(title ?? first),
    lastUsedAt: Date.parse(lastUsedAt),
    ...(modeId !== undefined && { modeId }),
    ...(options && { options }),
  };
}

async function promptsOf(
  sessions: NamedSessions,
  id: string,
): Promise<{ readonly first: string; readonly turns: number }> {
  let [first, turns] = ['', 0];
  for await (const events of sessions.prompts(id)) {
    const [event] = turns === 0 ? events : [];
    if (event) {
      const { content } = JSON.parse(event.payload) as TranscriptEvent & { readonly type: 'prompt' };
      first = content.map(contentText).join(' ').slice(0, 200);
    }
    turns += events.length;
  }
  return { first, turns };
}
