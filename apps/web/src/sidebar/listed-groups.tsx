import type { ReactNode } from 'react';
import type { ListedSession } from '../state/listed-session.ts';
import type { PageState } from '../state/page-store.ts';
import { ListedRow } from './listed-row.tsx';
import { sessionGroups } from './session-groups.ts';

/** Sessions in their groups, each below its heading. */
export function ListedGroups({
  sessions,
  role,
  current,
  server,
  now,
  onOpen,
}: {
  readonly sessions: readonly ListedSession[];
  /** A page has one list of regions; further lists are groups. */
  readonly role: 'region' | 'group';
  /** The id of the shown session. */
  readonly current?: string | undefined;
  readonly server: PageState['server'];
  readonly now: number;
  readonly onOpen: (session: ListedSession) => void;
}): ReactNode {
  return sessionGroups(sessions, now).map(({ title, sessions: group }) => (
    <div key={title} className="group" role={role} aria-label={title}>
      <h2>{title}</h2>
      <ul>
        {group.map((session) => (
          <li key={session.id}>
            <ListedRow session={session} isCurrent={session.id === current} {...{ server, now, onOpen }} />
          </li>
        ))}
      </ul>
    </div>
  ));
}
