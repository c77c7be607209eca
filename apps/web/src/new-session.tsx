import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { promptOf } from './composer/attachments.ts';
import { isSendingKey, isTouchScreen } from './composer/sending-key.ts';
import { useFiles } from './composer/use-files.ts';
import { Failure } from './parts/failure.tsx';
import { ScreenHeader } from './parts/screen-header.tsx';
import type { PageStore } from './state/page-store.ts';
import { useStore } from './state/use-store.ts';

/** The draft survives a reload of the page. */
const draftKey = 'draft new';

/** The screen for a new session: its first prompt, agent and folder. */
export function NewSession({ page, onMenu }: { readonly page: PageStore; readonly onMenu: () => void }): ReactNode {
  const { server } = useStore(page.state);
  const [text, draw] = useState(localStorage.getItem(draftKey) ?? '');
  const [agent, setAgent] = useState(server.agents[0] ?? '');
  const [folder, setFolder] = useState(server.roots[0] ?? '');
  const folders = useId();
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
    <div className="session">
      <ScreenHeader title="New session" onMenu={onMenu} />
      <main className="screen">
        {server.scope === 'observe' && <p>This page may only watch: choose a session.</p>}
        <form hidden={server.scope === 'observe'} className="stack card" onSubmit={begin}>
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
          <label>
            Agent
            <select value={agent} onChange={({ target }) => setAgent(target.value)}>
              {server.agents.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          </label>
          <label>
            Folder
            <input
              value={folder}
              list={folders}
              spellCheck={false}
              onChange={({ target }) => setFolder(target.value)}
              required
            />
            <datalist id={folders}>
              {server.roots.map((root) => (
                <option key={root} value={root} />
              ))}
            </datalist>
          </label>
          <button type="submit" className="primary">
            Begin
          </button>
        </form>
      </main>
    </div>
  );
}
