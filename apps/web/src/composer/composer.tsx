import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { Icon } from '../parts/icon.tsx';
import type { SessionStore, WaitingPrompt } from '../state/session-store.ts';
import { useStore } from '../state/use-store.ts';

/** The editor for the next prompt, and the prompts that wait. */
export function Composer({ session }: { readonly session: SessionStore }): ReactNode {
  const { waiting, workingSince } = useStore(session.state);
  const [text, setText] = useState('');
  const editor = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => fitHeight(editor.current), [text]);
  const send = (): void => {
    if (text.trim() === '') return;
    session.prompt([{ type: 'text', text }]);
    setText('');
  };
  const onKey = (key: KeyboardEvent): void => {
    if (key.nativeEvent.isComposing) return;
    if (key.key === 'Enter' && !key.shiftKey) {
      key.preventDefault();
      send();
    }
    if (key.key === 'Escape' && workingSince !== undefined) session.cancel();
  };
  return (
    <div className="composer">
      <Waiting session={session} waiting={waiting} onEdit={setText} />
      <div className="editor">
        <textarea
          ref={editor}
          aria-label="Prompt"
          placeholder="What is to be done?"
          dir="auto"
          rows={1}
          value={text}
          enterKeyHint="send"
          onChange={({ target }) => setText(target.value)}
          onKeyDown={onKey}
        />
        {workingSince !== undefined && (
          <button type="button" className="round stop" aria-label="Cancel the turn" onClick={() => session.cancel()}>
            <Icon name="stop" />
          </button>
        )}
        <button
          type="button"
          className="round send"
          aria-label={workingSince === undefined ? 'Send' : 'Queue'}
          disabled={text.trim() === ''}
          onClick={send}
        >
          <Icon name="send" />
        </button>
      </div>
    </div>
  );
}

function fitHeight(editor: HTMLTextAreaElement | null): void {
  if (!editor) return;
  editor.style.height = 'auto';
  editor.style.height = `${editor.scrollHeight}px`;
}

interface WaitingProps {
  readonly session: SessionStore;
  readonly waiting: readonly WaitingPrompt[];
  readonly onEdit: (text: string) => void;
}

function Waiting({ session, waiting, onEdit }: WaitingProps): ReactNode {
  if (waiting.length === 0) return null;
  const withdraw = (key: string): void => {
    const content = session.withdraw(key);
    if (content) onEdit(textOf(content));
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

function textOf(content: WaitingPrompt['content']): string {
  return content.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join(' ');
}
