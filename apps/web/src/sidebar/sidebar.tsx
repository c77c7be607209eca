import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Icon } from '../parts/icon.tsx';
import { VisibleText } from '../parts/visible-text.tsx';
import type { ListedSession } from '../state/listed-session.ts';
import type { PageStore } from '../state/page-store.ts';
import { useStore } from '../state/use-store.ts';
import { DevicesAndLinks } from './devices-and-links.tsx';

/** The sessions of all agents, the last used first. On a narrow screen it covers the page while it is open. */
export function Sidebar({
  page,
  isOpen,
  onClose,
}: {
  readonly page: PageStore;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}): ReactNode {
  const { sessions, isListed, current, server } = useStore(page.state);
  const [search, setSearch] = useState('');
  const list = useRef<HTMLElement>(null);
  useEffect(() => (isOpen ? closedByUser(list.current, onClose) : undefined), [isOpen, onClose]);
  const wanted = search.trim().toLowerCase();
  const found = sessions.filter(({ title, cwd }) => `${title}\n${cwd}`.toLowerCase().includes(wanted));
  const open = (session: ListedSession): void => {
    page.open(session);
    onClose();
  };
  return (
    <>
      {isOpen && <div className="shade" onClick={onClose} aria-hidden="true" />}
      <nav ref={list} className={isOpen ? 'sidebar open' : 'sidebar'} aria-label="Sessions" tabIndex={-1}>
        <div className="sidebar-top">
          <strong className="brand">Turnwire</strong>
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
          type="search"
          placeholder="Search sessions"
          aria-label="Search sessions"
          value={search}
          onChange={({ target }) => setSearch(target.value)}
        />
        <ul>
          {found.map((session) => (
            <li key={session.id}>
              <button
                type="button"
                className="listed"
                aria-current={session.id === current?.id ? 'page' : undefined}
                onClick={() => open(session)}
              >
                <span className="listed-title">
                  <VisibleText text={session.title} isProse />
                </span>
                <span className="listed-facts">
                  {session.state !== undefined && (
                    <>
                      <span className={`dot ${session.state}`} /> {stateWords[session.state]} ·{' '}
                    </>
                  )}
                  {server.agents.length > 1 && `${session.agent} · `}
                  {shortPath(session.cwd)} · {ago(session.updatedAt)}
                </span>
              </button>
            </li>
          ))}
          {found.length === 0 && <li className="empty">{emptyWords(sessions.length, isListed)}</li>}
        </ul>
        {server.roots.length > 0 && <DevicesAndLinks />}
        <button type="button" className="bare" onClick={() => void page.logOut()}>
          Log out
        </button>
      </nav>
    </>
  );
}

const stateWords: Readonly<Record<'working' | 'asking', string>> = { working: 'Working', asking: 'Asks you' };

function emptyWords(count: number, isListed: boolean): string {
  if (!isListed) return 'Loading the sessions…';
  return count === 0 ? 'No sessions yet.' : 'None found.';
}

/** Not every browser has it. */
interface CloseWatching {
  onclose: (() => void) | null;
  destroy(): void;
}

/** Calls `onClose` for Escape, and for the Back of a phone where the browser tells pages of it. Focuses what covers the page meanwhile. */
function closedByUser(cover: HTMLElement | null, onClose: () => void): () => void {
  const before = document.activeElement;
  cover?.focus();
  const { CloseWatcher } = globalThis as { readonly CloseWatcher?: new () => CloseWatching };
  const watcher = CloseWatcher && new CloseWatcher();
  if (watcher) watcher.onclose = onClose;
  const closeByKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    // The turn continues: the key was for what covers it.
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

function shortPath(path: string): string {
  return path.split('/').findLast((part) => part !== '') ?? path;
}

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;
const relative = new Intl.RelativeTimeFormat(undefined, { style: 'narrow' });

function ago(time: number): string {
  const age = Date.now() - time;
  const [unit, length] = units.find(([, each]) => age >= each) ?? [];
  return unit === undefined || length === undefined ? 'now' : relative.format(-Math.floor(age / length), unit);
}
