import type { TerminalView, TranscriptEntry } from '@turnwire/client/transcript';
import { asSentence, turnEndText } from '@turnwire/client/view';
import type { ReactNode } from 'react';
import type { ContentBlock } from '@turnwire/protocol';
import { CopyButton } from '../parts/copy-button.tsx';
import { Blocks } from './blocks.tsx';
import { GoBackButton } from './go-back.tsx';
import { Thought } from './thought.tsx';
import { ToolCall } from './tool-call.tsx';

/** An entry of a transcript. Kinds that this page does not know are shown as they are. */
export function Entry({
  entry,
  terminals,
}: {
  readonly entry: TranscriptEntry;
  readonly terminals: ReadonlyMap<string, TerminalView> | undefined;
}): ReactNode {
  switch (entry.type) {
    case 'user':
      return (
        <article className="user" aria-label="You">
          <div className="bubble">
            <Blocks content={entry.content} isOpen={false} isPlain />
          </div>
          <div className="message-actions">
            <GoBackButton />
            <CopyMessage content={entry.content} label="Copy the prompt" />
          </div>
        </article>
      );
    case 'agent':
      return (
        <article className="agent" aria-label="Agent">
          <Blocks content={entry.content} isOpen={entry.isOpen} />
          {!entry.isOpen && (
            <div className="message-actions">
              <CopyMessage content={entry.content} label="Copy the message" />
            </div>
          )}
        </article>
      );
    case 'thought':
      return <Thought entry={entry} />;
    case 'tool-call':
      return <ToolCall entry={entry} terminals={terminals} />;
    case 'turn-end':
      return <TurnEnd reason={entry.stopReason} error={entry.error} />;
    case 'plan':
      return null;
    case 'notice':
      return (
        <aside className={`notice ${entry.severity}`}>
          <strong>{entry.title}</strong>
          {entry.description !== undefined && <p>{entry.description}</p>}
        </aside>
      );
    case 'boundary':
      return entry.reason === 'loaded' ? null : <p className="boundary">{entry.message}</p>;
    case 'compaction':
      return <p className="boundary">The agent has shortened its memory of the conversation ({entry.status}).</p>;
    case 'unknown':
      return <UnknownUpdate update={entry.update} />;
  }
}

function CopyMessage({
  content,
  label,
}: {
  readonly content: readonly ContentBlock[];
  readonly label: string;
}): ReactNode {
  const texts = content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  return texts.length > 0 && <CopyButton text={texts.join('\n\n')} label={label} />;
}

function TurnEnd({
  reason,
  error,
}: {
  readonly reason?: string | undefined;
  readonly error?: string | undefined;
}): ReactNode {
  if (error !== undefined) return <aside className="notice error">The turn failed: {error}</aside>;
  const text = turnEndText(reason);
  return text === undefined ? <hr className="turn-end" /> : <aside className="notice info">{asSentence(text)}</aside>;
}

function UnknownUpdate({ update }: { readonly update: { readonly sessionUpdate: string } }): ReactNode {
  return (
    <details className="fold">
      <summary>An update of the kind {update.sessionUpdate}, which this page does not know</summary>
      <pre>{JSON.stringify(update, null, 2)}</pre>
    </details>
  );
}
