import type { ContentBlock } from '@turnwire/protocol';
import type { ReactNode } from 'react';
import type { SessionStore } from '../state/session-store.ts';
import { useStore } from '../state/use-store.ts';

/** The prompts that wait for the running turn. */
export function WaitingPrompts({
  session,
  onEdit,
}: {
  readonly session: SessionStore;
  /** Called with the content of a prompt that was taken back. */
  readonly onEdit: (content: readonly ContentBlock[]) => void;
}): ReactNode {
  const { waiting } = useStore(session.state);
  if (waiting.length === 0) return null;
  const withdraw = (key: string): void => {
    const content = session.withdraw(key);
    if (content) onEdit(content);
  };
  return (
    <ol className="waiting" aria-label="Prompts that wait">
      {waiting.map(({ key, content, isSent }) => (
        <li key={key}>
          <span className="waiting-text">{textOf(content)}</span>
          {isSent ? (
            <span className="faint">sending…</span>
          ) : (
            <>
              <button type="button" className="bare" onClick={() => session.steer(key)}>
                Now
              </button>
              <button type="button" className="bare" onClick={() => withdraw(key)}>
                Take back
              </button>
            </>
          )}
        </li>
      ))}
    </ol>
  );
}

/** Content in a line. */
export function textOf(content: readonly ContentBlock[]): string {
  return content.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join(' ');
}
