import { ago } from '@turnwire/client/view';
import type { ReactNode } from 'react';
import { VisibleText } from '../parts/visible-text.tsx';
import { folderName } from '../state/folder-name.ts';
import type { ListedSession } from '../state/listed-session.ts';
import type { PageState } from '../state/page-store.ts';

/** A session in a list: its title, its state, and where and when it was used. Bold if it has changed since the user looked at it. */
export function ListedRow({
  session,
  isCurrent,
  server,
  now,
  onOpen,
}: {
  readonly session: ListedSession;
  readonly isCurrent: boolean;
  readonly server: PageState['server'];
  readonly now: number;
  readonly onOpen: (session: ListedSession) => void;
}): ReactNode {
  const { title, state, hasNews, agent, cwd, updatedAt } = session;
  const asks = server.scope === 'observe' ? 'Asks the owner' : 'Asks you';
  return (
    <button
      type="button"
      className={hasNews && !isCurrent ? 'listed news' : 'listed'}
      aria-current={isCurrent ? 'page' : undefined}
      onClick={() => onOpen(session)}
    >
      <span className="listed-title">
        <VisibleText text={title} isProse />
        {hasNews && !isCurrent && <span className="unseen"> (new)</span>}
      </span>
      <span className="listed-facts">
        {state !== undefined && (
          <>
            <span className={`dot ${state}`} /> {state === 'asking' ? asks : 'Working'} ·{' '}
          </>
        )}
        {server.agents.length > 1 && `${agent} · `}
        {folderName(cwd)} · {ago(now - updatedAt, now)}
      </span>
    </button>
  );
}
