import { type ReactNode, useCallback, useRef, useState } from 'react';
import { KeyboardSheet } from './keyboard-sheet.tsx';
import { LoginScreen } from './login-screen.tsx';
import { NewSession } from './new-session.tsx';
import { Palette } from './palette/palette.tsx';
import { SessionScreen } from './session-screen.tsx';
import { type ListCover, Sidebar } from './sidebar/sidebar.tsx';
import type { PageStore } from './state/page-store.ts';
import { useStore } from './state/use-store.ts';

/** The whole page. */
export function App({ page }: { readonly page: PageStore }): ReactNode {
  const { phase, failure, current } = useStore(page.state);
  const [cover, setCover] = useState<ListCover>();
  const [isFinding, setFinding] = useState(false);
  const keys = useRef<HTMLDialogElement>(null);
  const leave = useCallback(() => page.leave(), [page]);
  const find = useCallback(() => setFinding(true), []);
  const closePalette = useCallback(() => setFinding(false), []);
  const closeMenu = useCallback(() => setCover(undefined), []);
  const search = useCallback(() => {
    const field = document.querySelector<HTMLElement>('[type="search"]');
    field?.focus();
    // The field cannot take the focus in a narrow window until the list is open.
    if (document.activeElement !== field) setCover('search');
  }, []);
  if (phase === 'starting') return <main className="screen" aria-busy="true" />;
  if (phase === 'logged-out') return <LoginScreen page={page} />;
  if (phase === 'failed')
    return <Failed title="The server cannot be reached" message={failure ?? ''} onRetry={() => void page.start()} />;
  const openMenu = (): void => setCover('list');
  return (
    <div className="page">
      <KeyboardSheet dialog={keys} onNew={leave} onSearch={search} onFind={find} />
      {isFinding && <Palette page={page} onClose={closePalette} onKeys={() => keys.current?.showModal()} />}
      <Sidebar page={page} cover={cover} onClose={closeMenu} onKeys={() => keys.current?.showModal()} onFind={find} />
      {/* The open list covers this part, so the keyboard must not reach it either. */}
      <div className="shown" inert={cover !== undefined}>
        {current ? (
          <SessionScreen key={current.key} page={page} session={current} onMenu={openMenu} />
        ) : (
          <NewSession page={page} onMenu={openMenu} />
        )}
      </div>
    </div>
  );
}

/** A screen with an error and a button to try again. */
export function Failed({
  title,
  message,
  onRetry,
}: {
  readonly title: string;
  readonly message: string;
  readonly onRetry: () => void;
}): ReactNode {
  return (
    <main className="screen">
      <h1>{title}</h1>
      <p>{message}</p>
      <button type="button" className="primary" onClick={onRetry}>
        Try again
      </button>
    </main>
  );
}
