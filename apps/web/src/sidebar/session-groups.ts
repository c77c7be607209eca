import type { ListedSession } from '../state/listed-session.ts';

/** Sessions below one heading of the list. */
export interface SessionGroup {
  readonly title: string;
  readonly sessions: readonly ListedSession[];
}

/** Groups sessions, and leaves out empty groups: those that wait for the user come first, then by the time of their last change. */
export function sessionGroups(sessions: readonly ListedSession[], now: number): readonly SessionGroup[] {
  const today = new Date(now).setHours(0, 0, 0, 0);
  const yesterday = new Date(today - 1).setHours(0, 0, 0, 0);
  const groupOf = ({ state, updatedAt }: ListedSession): string => {
    if (state === 'asking') return 'Needs you';
    if (state === 'working') return 'Working';
    if (updatedAt >= today) return 'Today';
    return updatedAt >= yesterday ? 'Yesterday' : 'Earlier';
  };
  return ['Needs you', 'Working', 'Today', 'Yesterday', 'Earlier']
    .map((title) => ({ title, sessions: sessions.filter((session) => groupOf(session) === title) }))
    .filter((group) => group.sessions.length > 0);
}
