import type { TranscriptEvent } from '@turnwire/client/transcript';
import type { SessionFacts, SessionRecord as StoredSession } from '@turnwire/runtime';
import { contentText } from '@turnwire/client/view';
import { cleanLine } from '../terminal/clean-text.ts';
import { NamedSessions } from './named-sessions.ts';
import { type RecentSession, sessionKey } from './recent-session.ts';
import { RecentSessions } from './recent-sessions.ts';
import type { SessionRecord } from './session-record.ts';

/** A session that can be gone on with: of a chat, of `exec`, of a server, or one that was stored with `sessions new`. */
export interface KnownSession extends Omit<RecentSession, 'usedBy'> {
  readonly usedBy?: RecentSession['usedBy'];
  /** Of a stored session: its id here, and its name if it has one. */
  readonly recordId?: string;
  readonly name?: string;
  /** A server of this user has it, perhaps at this moment: it is continued here when it is asked for, and not because it is the last. */
  readonly isServed?: true;
}

/** All sessions that were prompted and can be gone on with, last used first. */
export async function knownSessions(): Promise<readonly KnownSession[]> {
  const [recent, { named: stored, served }] = await Promise.all([new RecentSessions().list(), storedSessions()]);
  const known = new Map<string, KnownSession>(recent.map((session) => [sessionKey(session), session]));
  // A stored session may have been gone on with in a chat.
  for (const session of stored) {
    const other = known.get(sessionKey(session));
    const turns = (session.turns ?? 0) + (other?.turns ?? 0);
    const lastUsedAt = Math.max(session.lastUsedAt, other?.lastUsedAt ?? 0);
    known.set(sessionKey(session), { ...other, ...session, turns, lastUsedAt });
  }
  // One that was prompted through its server is known by its id there.
  const ids = new Set(recent.map(({ sessionId }) => sessionId));
  for (const session of served)
    if (!ids.has(session.servedId) && !known.has(sessionKey(session))) known.set(sessionKey(session), session);
  return [...known.values()].toSorted((one, other) => other.lastUsedAt - one.lastUsedAt);
}

/** Those with this id or the beginning of it, else of this name, else with all these words. */
export function matchingSessions(given: string, sessions: readonly KnownSession[]): readonly KnownSession[] {
  const wanted = given.trim().toLowerCase();
  const words = wanted.split(/\s+/);
  const ways: readonly ((session: KnownSession) => boolean)[] = [
    ({ sessionId, recordId }) => sessionId === given || recordId === given,
    (session) => /^[0-9a-f]{4,16}$/.test(wanted) && sessionKey(session).startsWith(wanted),
    ({ name }) => name === given,
    (session) => words.every((word) => session.words.toLowerCase().includes(word)),
  ];
  return ways.map((fits) => sessions.filter(fits)).find((found) => found.length > 0) ?? [];
}

/** The shortest beginnings of their ids, from four digits on, that differ from each other. */
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

/** None if the engine for the database is not installed. */
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
