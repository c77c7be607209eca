import { type KeyboardEventHandler, type ReactNode, useEffect, useRef, useState } from 'react';
import { isComposing } from '../composer/sending-key.ts';
import { Icon } from '../parts/icon.tsx';
import { useNow } from '../parts/use-now.ts';
import type { ListedSession } from '../state/listed-session.ts';
import type { PageStore } from '../state/page-store.ts';
import { useStore } from '../state/use-store.ts';
import { DevicesAndLinks } from './devices-and-links.tsx';
import { ListedGroups } from './listed-groups.tsx';
import { UsageDialog } from './usage-dialog.tsx';
import { TerminalSessions } from './terminal-sessions.tsx';

/** How often the ages of sessions are updated, in milliseconds. */
const ageInterval = 30_000;

/** The focused part of the list while it covers a narrow screen; undefined while it is closed. */
export type ListCover = 'list' | 'search' | undefined;

/** The sessions of all agents, most recently used first. On a narrow screen the open list covers the page. */
export function Sidebar({
  page,
  cover,
  onClose,
  onKeys,
  onFind,
}: {
  readonly page: PageStore;
  readonly cover: ListCover;
  readonly onClose: () => void;
  /** Opens the list of keys. */
  readonly onKeys: () => void;
  /** Opens the palette. */
  readonly onFind: () => void;
}): ReactNode {
  const { sessions, isListed, current, server } = useStore(page.state);
  const [search, setSearch] = useState('');
  const now = useNow(ageInterval);
  const list = useRef<HTMLElement>(null);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => cover && closedByUser(cover === 'search' ? field.current : list.current, onClose), [cover, onClose]);
  const query = search.trim().toLowerCase();
  const found = sessions.filter(({ title, cwd }) => `${title}\n${cwd}`.toLowerCase().includes(query));
  const open = (session: ListedSession): void => {
    page.open(session);
    onClose();
  };
  const onSearchKey: KeyboardEventHandler = (key) => {
    if (key.key !== 'Enter' || isComposing(key) || !found[0]) return;
    setSearch('');
    open(found[0]);
  };
  return (
    <>
      {cover && <div className="shade" onClick={onClose} aria-hidden="true" />}
      <nav ref={list} className={cover ? 'sidebar open' : 'sidebar'} aria-label="Sessions" tabIndex={-1}>
        <div className="sidebar-top">
          <strong className="brand">Turnwire</strong>
          <button
            type="button"
            className="bare find"
            aria-label="Search all texts"
            onClick={() => {
              onClose();
              onFind();
            }}
          >
            <Icon name="search" />
          </button>
          <button
            type="button"
            className="bare"
            onClick={() => {
              page.leave();
              onClose();
            }}
          >
            <Icon name="plus" /> New
          </button>
        </div>
        <input
          ref={field}
          type="search"
          placeholder="Search sessions"
          aria-label="Search sessions"
          value={search}
          onChange={({ target }) => setSearch(target.value)}
          onKeyDown={onSearchKey}
        />
        <div className="groups">
          <ListedGroups sessions={found} role="region" current={current?.id} {...{ server, now }} onOpen={open} />
          {found.length === 0 && <p className="empty">{emptyWords(sessions.length, isListed)}</p>}
        </div>
        {server.roots.length > 0 && <TerminalSessions query={query} />}
        <div className="sidebar-foot">
          <button type="button" className="bare" onClick={onKeys}>
            Keys
          </button>
          <UsageDialog page={page} sessions={sessions} />
          {server.roots.length > 0 && <DevicesAndLinks />}
          <button type="button" className="bare" onClick={() => void page.logOut()}>
            Log out
          </button>
        </div>
      </nav>
    </>
  );
}

function emptyWords(count: number, isListed: boolean): string {
  if (!isListed) return 'Loading the sessions…';
  return count === 0 ? 'No sessions yet.' : 'No sessions found.';
}

/** `CloseWatcher`, which not every browser has. */
interface CloseWatching {
  onclose: (() => void) | null;
  destroy(): void;
}

/** Calls `onClose` for Escape, and for the Back button of a phone if the browser supports it. Focuses the given element until then. */
function closedByUser(focused: HTMLElement | null, onClose: () => void): () => void {
  const before = document.activeElement;
  focused?.focus();
  const { CloseWatcher } = globalThis as { readonly CloseWatcher?: new () => CloseWatching };
  const watcher = CloseWatcher && new CloseWatcher();
  if (watcher) watcher.onclose = onClose;
  const closeByKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    // The key was for the list and must not cancel the turn.
    event.stopPropagation();
    onClose();
  };
  addEventListener('keydown', closeByKey, { capture: true });
  const isWide = matchMedia('(min-width: 768px)');
  isWide.addEventListener('change', onClose);
  return () => {
    isWide.removeEventListener('change', onClose);
    removeEventListener('keydown', closeByKey, { capture: true });
    watcher?.destroy();
    if (before instanceof HTMLElement) before.focus();
  };
}
