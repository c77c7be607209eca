import { type ReactNode, useRef } from 'react';
import { Icon } from './parts/icon.tsx';
import type { PageStore } from './state/page-store.ts';
import type { SessionStore } from './state/session-store.ts';

/** What can be done with a session as a whole: exporting and deleting it. */
export function SessionMenu({
  page,
  session,
}: {
  readonly page: PageStore;
  readonly session: SessionStore;
}): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const close = (): void => dialog.current?.close();
  const save = async (format: 'markdown' | 'json'): Promise<void> => {
    const { exported } = await import('./export/exported.ts');
    const file = exported(session.state.current.view, format);
    const link = document.createElement('a');
    link.href = URL.createObjectURL(file);
    link.download = file.name;
    link.click();
    URL.revokeObjectURL(link.href);
    close();
  };
  const remove = async (): Promise<void> => {
    const { id, agentName: agent } = session;
    close();
    if (id !== undefined) await page.delete({ agent, id });
  };
  return (
    <>
      <button
        type="button"
        className="bare"
        aria-label="Export or delete the session"
        aria-haspopup="dialog"
        onClick={() => dialog.current?.showModal()}
      >
        <Icon name="export" />
      </button>
      <dialog ref={dialog} aria-label="Session" closedby="any">
        <div className="stack">
          <button type="button" className="plain-button" onClick={() => void save('markdown')}>
            Export as Markdown
          </button>
          <button type="button" className="plain-button" onClick={() => void save('json')}>
            Export as JSON
          </button>
          <button type="button" className="refuse" onClick={() => void remove()}>
            Delete for good
          </button>
          <button type="button" className="bare" onClick={close}>
            Close
          </button>
        </div>
      </dialog>
    </>
  );
}
