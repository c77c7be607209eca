import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { promptOf } from './composer/attachments.ts';
import { isSendingKey, isTouchScreen } from './composer/sending-key.ts';
import { useFiles } from './composer/use-files.ts';
import { Failure } from './parts/failure.tsx';
import { ScreenHeader } from './parts/screen-header.tsx';
import { useNow } from './parts/use-now.ts';
import { ListedGroups } from './sidebar/listed-groups.tsx';
import { folderName } from './state/folder-name.ts';
import type { PageState, PageStore } from './state/page-store.ts';
import { useStore } from './state/use-store.ts';

/** The draft survives a reload of the page. */
const draftKey = 'draft new';
const mostFolders = 6;
/** The maximum number of sessions below the prompt, besides those that wait for the user. */
const mostSessions = 5;
/** How often the ages of sessions are updated, in milliseconds. */
const ageInterval = 30_000;

/** The screen for a new session: its first prompt, agent and folder, and the sessions to continue instead. */
export function NewSession({ page, onMenu }: { readonly page: PageStore; readonly onMenu: () => void }): ReactNode {
  const state = useStore(page.state);
  return (
    <div className="session">
      <ScreenHeader title="New session" onMenu={onMenu} />
      <main className="screen">
        {state.server.scope === 'observe' && <p>This page may only watch: choose a session.</p>}
        <FirstPrompt key={state.nextAgent} page={page} state={state} />
        <RecentSessions page={page} state={state} />
      </main>
    </div>
  );
}

function FirstPrompt({ page, state }: { readonly page: PageStore; readonly state: PageState }): ReactNode {
  const { server } = state;
  const [text, draw] = useState(localStorage.getItem(draftKey) ?? '');
  const [agent, setAgent] = useState(state.nextAgent ?? server.agents[0] ?? '');
  const [folder, setFolder] = useState(server.roots[0] ?? '');
  const roots = useId();
  const { files, failure } = useFiles(folder, text);
  const setText = (next: string): void => {
    localStorage.setItem(draftKey, next);
    draw(next);
  };
  const begin = (form: FormEvent): void => {
    form.preventDefault();
    localStorage.removeItem(draftKey);
    page.begin({ agent, cwd: folder, prompt: promptOf(text, { files, folder, attachments: [] }) });
  };
  return (
    <form hidden={server.scope === 'observe'} className="begin card" onSubmit={begin}>
      <textarea
        aria-label="Prompt"
        placeholder="Ask for a change, or ask a question"
        dir="auto"
        rows={4}
        autoFocus={!isTouchScreen}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={(key) => {
          if (!isSendingKey(key)) return;
          key.preventDefault();
          key.currentTarget.form?.requestSubmit();
        }}
      />
      <Failure text={failure} />
      <div className="begin-settings">
        <label>
          Agent
          <select value={agent} onChange={({ target }) => setAgent(target.value)}>
            {server.agents.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <label className="folder">
          Folder
          <input
            value={folder}
            list={roots}
            spellCheck={false}
            onChange={({ target }) => setFolder(target.value)}
            required
          />
          <datalist id={roots}>
            {server.roots.map((root) => (
              <option key={root} value={root} />
            ))}
          </datalist>
        </label>
        <button type="submit" className="primary">
          Begin
        </button>
      </div>
      <RecentFolders folders={recentFolders(state)} folder={folder} onChoose={setFolder} />
    </form>
  );
}

/** The folders of the last sessions. */
function recentFolders({ sessions, server }: PageState): readonly string[] {
  return [...new Set([...server.roots.slice(0, 1), ...sessions.map(({ cwd }) => cwd)])].slice(0, mostFolders);
}

function RecentFolders({
  folders,
  folder,
  onChoose,
}: {
  readonly folders: readonly string[];
  readonly folder: string;
  readonly onChoose: (folder: string) => void;
}): ReactNode {
  if (folders.length < 2) return null;
  return (
    <div className="recent-folders" role="group" aria-label="Recent folders">
      {folders.map((path) => (
        <button key={path} type="button" title={path} aria-pressed={path === folder} onClick={() => onChoose(path)}>
          {folderName(path)}
        </button>
      ))}
    </div>
  );
}

/** The sessions that wait for the user, and the last others. */
function RecentSessions({ page, state }: { readonly page: PageStore; readonly state: PageState }): ReactNode {
  const { sessions, server } = state;
  const now = useNow(ageInterval);
  const waiting = sessions.filter((session) => session.state === 'asking');
  const others = sessions.filter((session) => session.state !== 'asking').slice(0, mostSessions);
  return (
    <div className="recent">
      <ListedGroups
        sessions={[...waiting, ...others]}
        role="group"
        {...{ server, now }}
        onOpen={(chosen) => page.open(chosen)}
      />
    </div>
  );
}
