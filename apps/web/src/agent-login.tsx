import { type AuthMethod, turnwireMeta } from '@turnwire/protocol';
import type { ReactNode } from 'react';
import { CopyButton } from './parts/copy-button.tsx';
import { VisibleText } from './parts/visible-text.tsx';
import type { AgentLink } from './state/agent-link.ts';
import { useStore } from './state/use-store.ts';

function commandOf({ _meta }: AuthMethod): string | undefined {
  return turnwireMeta<'login method'>(_meta).command;
}

/** A login method that the user completes in a terminal on the server's machine. */
function TerminalLogin({ method, onDone }: { readonly method: AuthMethod; readonly onDone: () => void }): ReactNode {
  const command = commandOf(method) ?? '';
  return (
    <div className="facts">
      <p>
        <strong>{method.name}</strong>: run this in a terminal on the server's machine.
      </p>
      <div className="to-copy">
        <pre className="command-line" tabIndex={0}>
          <VisibleText text={command} />
        </pre>
        <CopyButton text={command} label="Copy the command" />
      </div>
      <button type="button" className="primary" onClick={onDone}>
        I have logged in there
      </button>
    </div>
  );
}

/** The login form of an agent that requires one before it works. */
export function AgentLogin({ link }: { readonly link: AgentLink }): ReactNode {
  const login = useStore(link.login);
  if (!login) return null;
  const { methods, failure, choose } = login;
  // For a terminal method the gateway sends the command to run.
  const usable = methods.filter(({ type }) => type !== 'terminal');
  const atTerminal = usable.filter((method) => commandOf(method) !== undefined);
  return (
    <section className="question" aria-label="The agent requires a login">
      <h2>The agent {link.name} requires a login</h2>
      {failure !== undefined && (
        <p role="alert" className="failure">
          {failure}
        </p>
      )}
      {usable.length === 0 && <p>None of its login methods works in a browser. Log in on the server's machine.</p>}
      {atTerminal.map((method) => (
        <TerminalLogin key={method.id} method={method} onDone={() => choose(method.id)} />
      ))}
      <div className="answers">
        {usable
          .filter((method) => !atTerminal.includes(method))
          .map(({ id, name, description }) => (
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
