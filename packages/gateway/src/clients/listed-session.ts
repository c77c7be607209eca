import type { SessionInfo } from '@turnwire/protocol';
import type { Session, SessionRecord } from '@turnwire/runtime';

/** A session as `session/list` returns it. `state`: the activity of an open session. */
export function listedSession(record: SessionRecord, state: Session['activity']): SessionInfo {
  const { id, cwd, additionalDirectories, title, updatedAt, agent, closedAt } = record;
  const closed = closedAt !== null && { closedAt: new Date(closedAt).toISOString() };
  return {
    sessionId: id,
    cwd,
    additionalDirectories,
    title,
    updatedAt: new Date(updatedAt).toISOString(),
    _meta: { turnwire: { agent, ...closed, ...(state && { state }) } },
  };
}
