import { errorText } from '@turnwire/client/error-text';
import { type ReactNode, useRef, useState } from 'react';
import { CopyButton } from './parts/copy-button.tsx';
import { Failure } from './parts/failure.tsx';
import { Icon } from './parts/icon.tsx';
import { Usage } from './parts/usage.tsx';
import { linkToWatch } from './server/server-facts.ts';
import { askForNotices, mayAskForNotices } from './state/notices.ts';
import type { PageStore } from './state/page-store.ts';
import type { SessionStore } from './state/session-store.ts';
import { sessionTitle } from './state/session-title.ts';
import { useStorePart } from './state/use-store.ts';

/** The menu of a session: rename, fork, export and delete. */
export function SessionMenu({
  page,
  session,
}: {
  readonly page: PageStore;
  readonly session: SessionStore;
}): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const role = useStorePart(session.state, (state) => state.role);
  const view = useStorePart(session.state, (state) => state.view);
  const close = (): void => dialog.current?.close();
  const [isDeleting, setDeleting] = useState(false);
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
        aria-label="Rename, fork, export or delete the session"
        aria-haspopup="dialog"
        onClick={() => dialog.current?.showModal()}
      >
        <Icon name="more" />
      </button>
      <dialog ref={dialog} aria-label="Session" closedby="any" onClose={() => setDeleting(false)}>
        <div className="stack">
          <Usage view={view} />
          {role === 'control' && <Rename page={page} session={session} onDone={close} />}
          {role === 'control' && session.forks && <Fork page={page} session={session} />}
          <Export session={session} onDone={close} />
          {role === 'control' && <WatchLink session={session} />}
          {mayAskForNotices() && (
            <button type="button" className="plain-button" onClick={() => void askForNotices().then(close)}>
              Notify me when it needs me
            </button>
          )}
          {role === 'control' && (
            <button type="button" className="refuse" onClick={() => (isDeleting ? void remove() : setDeleting(true))}>
              {isDeleting ? 'Yes, delete it with all its messages' : 'Delete permanently'}
            </button>
          )}
          <button type="button" className="bare" onClick={close}>
            Close
          </button>
        </div>
      </dialog>
    </>
  );
}

function Rename({
  page,
  session,
  onDone,
}: {
  readonly page: PageStore;
  readonly session: SessionStore;
  readonly onDone: () => void;
}): ReactNode {
  const title = useStorePart(session.state, ({ view }) => sessionTitle(view));
  const [failure, setFailure] = useState('');
  const rename = (next: unknown): void =>
    void page.rename(session, String(next)).then(onDone, (error: unknown) => setFailure(errorText(error)));
  return (
    <>
      <form
        className="rename"
        onSubmit={(form) => {
          form.preventDefault();
          rename(new FormData(form.currentTarget).get('title'));
        }}
      >
        <label>
          Title
          <input name="title" maxLength={200} defaultValue={title} key={title} required />
        </label>
        <button type="submit" className="plain-button">
          Rename
        </button>
      </form>
      <Failure text={failure} />
    </>
  );
}

function Fork({ page, session }: { readonly page: PageStore; readonly session: SessionStore }): ReactNode {
  const isWorking = useStorePart(session.state, ({ workingSince }) => workingSince !== undefined);
  const [failure, setFailure] = useState('');
  const fork = (): void => void page.fork(session, {}).catch((error: unknown) => setFailure(errorText(error)));
  return (
    <>
      <button type="button" className="plain-button" disabled={isWorking} onClick={fork}>
        Fork the session
      </button>
      <Failure text={failure} />
    </>
  );
}

function Export({ session, onDone }: { readonly session: SessionStore; readonly onDone: () => void }): ReactNode {
  const [saving, setSaving] = useState<'markdown' | 'json'>();
  const [failure, setFailure] = useState('');
  const save = (format: 'markdown' | 'json'): void => {
    setSaving(format);
    setFailure('');
    saveAs(session, format)
      .then(onDone, (error: unknown) => setFailure(errorText(error)))
      .finally(() => setSaving(undefined));
  };
  return (
    <>
      {(['markdown', 'json'] as const).map((format) => (
        <button
          key={format}
          type="button"
          className="plain-button"
          disabled={saving !== undefined}
          onClick={() => save(format)}
        >
          {saving === format ? 'Exporting…' : `Export as ${format === 'json' ? 'JSON' : 'Markdown'}`}
        </button>
      ))}
      <Failure text={failure} />
    </>
  );
}

async function saveAs(session: SessionStore, format: 'markdown' | 'json'): Promise<void> {
  const [{ exported }] = await Promise.all([import('./export/exported.ts'), session.readAll()]);
  const file = await exported(
    { view: session.state.current.view, agent: session.agentName, folder: session.cwd },
    format,
  );
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = file.name;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** The validity of a link to watch a session, in hours. */
const watchTime = 24;

function WatchLink({ session: { agentName, id } }: { readonly session: SessionStore }): ReactNode {
  const [link, setLink] = useState('');
  const [failure, setFailure] = useState('');
  const make = (sessionId: string): void =>
    void linkToWatch(agentName, sessionId, watchTime).then(setLink, (error: unknown) => setFailure(errorText(error)));
  if (link !== '')
    return (
      <div className="to-copy">
        <label>
          Who has this link can watch the session, for a day
          <input readOnly value={link} onFocus={({ target }) => target.select()} />
        </label>
        <CopyButton text={link} label="Copy the link" />
      </div>
    );
  return (
    <>
      <button
        type="button"
        className="plain-button"
        disabled={id === undefined}
        onClick={() => id !== undefined && make(id)}
      >
        Make a link to watch it
      </button>
      <Failure text={failure} />
    </>
  );
}
