import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { ScreenHeader } from './parts/screen-header.tsx';
import type { PageStore } from './state/page-store.ts';
import { useStore } from './state/use-store.ts';

/** The screen without a session: which agent, and in which folder. */
export function NewSession({ page, onMenu }: { readonly page: PageStore; readonly onMenu: () => void }): ReactNode {
  const { server } = useStore(page.state);
  const [agent, setAgent] = useState(server.agents[0] ?? '');
  const [folder, setFolder] = useState(server.roots[0] ?? '');
  const folders = useId();
  const begin = (form: FormEvent): void => {
    form.preventDefault();
    page.begin(agent, folder);
  };
  return (
    <div className="session">
      <ScreenHeader title="New session" onMenu={onMenu} />
      <main className="screen">
        {server.scope === 'observe' && <p>This page may only watch: choose a session.</p>}
        <form hidden={server.scope === 'observe'} className="stack card" onSubmit={begin}>
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
