import type { SessionUpdate } from '@turnwire/protocol';
import type { SessionEntry } from './session-store.ts';

/**
 * The entries of a fork, with other ids for the sessions that its source has started. The session that announces another one owns it, and
 * that never changes (protocol: Subagents, Announcing a child session): a fork can own only sessions with ids of their own.
 */
export function withOwnChildren(
  entries: readonly SessionEntry[],
  { source, fork }: { readonly source: string; readonly fork: string },
): readonly SessionEntry[] {
  const ids = new Map([[source, fork]]);
  const renamed = (id: string): string => ids.get(id) ?? id;
  return entries.map((entry) => {
    if (entry.type !== 'update' && entry.type !== 'child') return entry;
    const { update } = entry;
    if (update.sessionUpdate === 'subagent_update' && !ids.has(update.sessionId))
      ids.set(update.sessionId, crypto.randomUUID());
    const own = { ...entry, update: withIds(update, renamed) };
    return own.type === 'child' ? { ...own, sessionId: renamed(own.sessionId) } : own;
  });
}

/** Replaces the ids of sessions in an update. */
function withIds(update: SessionUpdate, renamed: (id: string) => string): SessionUpdate {
  switch (update.sessionUpdate) {
    case 'subagent_update':
      return { ...update, sessionId: renamed(update.sessionId) };
    case 'session_message': {
      const { senderSessionId: sender, recipientSessionId: recipient } = update;
      return {
        ...update,
        ...(typeof sender === 'string' && { senderSessionId: renamed(sender) }),
        ...(typeof recipient === 'string' && { recipientSessionId: renamed(recipient) }),
      };
    }
    case 'tool_call':
    case 'tool_call_update': {
      if (!update.content) return update;
      const content = update.content.map((item) => {
        const { type, sessionId } = item as { readonly type: string; readonly sessionId?: string };
        return type === 'session' && sessionId !== undefined ? { ...item, sessionId: renamed(sessionId) } : item;
      });
      return { ...update, content };
    }
    default:
      return update;
  }
}
