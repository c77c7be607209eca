import type { TranscriptView } from '@turnwire/client/transcript';
import { backgroundItems } from '@turnwire/client/view';
import type { AgentWork } from '@turnwire/protocol';
import { createContext, type ReactNode, useContext } from 'react';
import { VisibleText } from '../parts/visible-text.tsx';

/** Asks the agent to cancel a part of its work. Undefined if this window only watches. */
export const CancelWork: React.Context<((work: AgentWork) => void) | undefined> = createContext<
  ((work: AgentWork) => void) | undefined
>(undefined);

/** The agent's work in the background. */
export function Background({ view }: { readonly view: TranscriptView }): ReactNode {
  const items = backgroundItems(view);
  if (items.length === 0) return null;
  return (
    <section className="background" aria-label="Work in the background">
      <span className="faint">Running in the background:</span>
      <ul>
        {items.map(({ text, cancel }, index) => (
          <li key={`${index} ${text}`}>
            <span className="spinner" />
            <VisibleText text={text} />
            {cancel && <CancelButton work={cancel} name={text} />}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Cancels a part of the agent's work, and nothing else. */
export function CancelButton({ work, name }: { readonly work: AgentWork; readonly name: string }): ReactNode {
  const cancel = useContext(CancelWork);
  if (!cancel) return null;
  return (
    <button
      type="button"
      className="plain-button cancel-work"
      aria-label={`Cancel ${name}`}
      onClick={() => cancel(work)}
    >
      Cancel
    </button>
  );
}
