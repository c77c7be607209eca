import type { ReactNode } from 'react';
import type { AgentLink } from './state/agent-link.ts';
import { useStore } from './state/use-store.ts';

/** The login that an agent wants before it works. */
export function AgentLogin({ link }: { readonly link: AgentLink }): ReactNode {
  const login = useStore(link.login);
  if (!login) return null;
  const { methods, failure, choose } = login;
  const [usable, others] = [
    methods.filter(({ type }) => type !== 'terminal'),
    methods.filter(({ type }) => type === 'terminal'),
  ];
  return (
    <section className="question" aria-label="The agent wants a login">
      <h2>The agent {link.name} wants a login</h2>
      {failure !== undefined && (
        <p role="alert" className="failure">
          {failure}
        </p>
      )}
      {usable.length === 0 && <p>It offers none that works in a browser. Log in on the machine of the server.</p>}
      {others.map(({ id, name }) => (
        <p key={id} className="faint">
          {name} needs a terminal: run the agent in <code>turnwire chat</code> on the machine of the server.
        </p>
      ))}
      <div className="answers">
        {usable.map(({ id, name, description }) => (
          <button
            key={id}
            type="button"
            className="primary"
            title={description ?? undefined}
            onClick={() => choose(id)}
          >
            {name}
          </button>
        ))}
        <button type="button" className="plain-button" onClick={() => choose(undefined)}>
          Not now
        </button>
      </div>
    </section>
  );
}
