import type { ContentBlock } from '@turnwire/protocol';
import { type ReactNode, useState } from 'react';
import type { SessionState } from '../state/session-state.ts';
import type { SessionStore } from '../state/session-store.ts';
import { textOf } from '../state/prompt-text.ts';
import { useStorePart } from '../state/use-store.ts';

/** The prompts that wait for the running turn, including those of other windows. */
export function WaitingPrompts({
  session,
  onEdit,
}: {
  readonly session: SessionStore;
  /** Called with the content of a prompt that the user removed from the queue. */
  readonly onEdit: (content: readonly ContentBlock[]) => void;
}): ReactNode {
  const { prompts } = session;
  const queue = useStorePart(session.state, (state) => state.queue);
  const waiting = useStorePart(session.state, (state) => state.waiting);
  const [steering, setSteering] = useState<string>();
  const shown = shownPrompts({ queue, waiting });
  if (shown.length === 0) return null;
  const withdraw = async (id: string): Promise<void> => {
    const content = await prompts.withdraw(id);
    if (content) onEdit(content);
  };
  const steer = async (id: string): Promise<void> => {
    setSteering(id);
    await prompts.steer(id);
    setSteering(undefined);
  };
  return (
    <ol className="waiting" aria-label="Queued prompts">
      {shown.map(({ id, text, from, isSending }) => (
        <li key={id}>
          <span className="waiting-text" dir="auto">
            {text}
          </span>
          {from !== undefined && <span className="badge">{from}</span>}
          {isSending || id === steering ? (
            <span className="faint">{id === steering ? 'at its next step…' : 'sending…'}</span>
          ) : (
            <>
              {prompts.canSteer ? (
                <button type="button" className="bare" onClick={() => void steer(id)}>
                  Send into the turn
                </button>
              ) : (
                <button type="button" className="bare" onClick={() => void prompts.runNow(id)}>
                  Stop, and send
                </button>
              )}
              <button type="button" className="bare" onClick={() => void withdraw(id)}>
                Take back
              </button>
            </>
          )}
        </li>
      ))}
    </ol>
  );
}

interface ShownPrompt {
  /** The key of the prompt, or of its turn. */
  readonly id: string;
  readonly text: string;
  /** The other window or program that sent it. */
  readonly from?: string;
  readonly isSending?: boolean;
}

/** The prompts in the gateway's queue, followed by those that this window has yet to send. */
function shownPrompts({ queue, waiting }: Pick<SessionState, 'queue' | 'waiting'>): readonly ShownPrompt[] {
  const queued = queue.map(({ turnId, by, text, key }) => {
    const own = waiting.find((prompt) => prompt.key === key);
    return own ? { id: own.key, text: textOf(own.content) } : { id: turnId, text, from: by.client };
  });
  const ids = new Set(queued.map(({ id }) => id));
  const rest = waiting.filter(({ key }) => !ids.has(key));
  return [...queued, ...rest.map(({ key: id, content, isSent }) => ({ id, text: textOf(content), isSending: isSent }))];
}
