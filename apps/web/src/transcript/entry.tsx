import type { TerminalView, TranscriptEntry } from '@turnwire/client/transcript';
import {
  asSentence,
  type ChildBlock,
  entryBlock,
  type MessageBlock,
  messageText,
  type NextStep,
  nextSteps,
  type TurnEndBlock,
} from '@turnwire/client/view';
import { type ReactNode, useState } from 'react';
import type { ContentBlock } from '@turnwire/protocol';
import { CopyButton } from '../parts/copy-button.tsx';
import { Icon } from '../parts/icon.tsx';
import { VisibleText } from '../parts/visible-text.tsx';
import { serverClock } from '../server/server-clock.ts';
import { CancelButton } from './background.tsx';
import { Blocks } from './blocks.tsx';
import { GoBack, GoBackButton } from './go-back.tsx';
import { NextSteps } from './next-turn.tsx';
import { ToolCall } from './tool-call.tsx';
import { RowNumber, Unfolded, useFold } from './use-fold.ts';

/** An entry of a transcript. */
export function Entry({
  entry,
  terminals,
}: {
  readonly entry: TranscriptEntry;
  readonly terminals: ReadonlyMap<string, TerminalView> | undefined;
}): ReactNode {
  const block = entryBlock(entry, terminals ?? noTerminals);
  switch (block.type) {
    case 'prompt':
      return (
        <article className="user" aria-label="You">
          <div className="bubble">
            <Blocks content={block.content} isOpen={false} isPlain />
          </div>
          <div className="message-actions">
            <SentAt entry={entry} />
            <GoBackButton />
            <CopyMessage content={block.content} label="Copy the prompt" />
          </div>
        </article>
      );
    case 'message':
      return (
        <article className="agent" aria-label="Agent">
          <Blocks content={block.content} isOpen={block.isOpen} />
          {!block.isOpen && (
            <div className="message-actions">
              <CopyMessage content={block.content} label="Copy the message" />
            </div>
          )}
        </article>
      );
    case 'thought':
      return <Thought thought={block} />;
    case 'call':
      return <ToolCall block={block} terminals={terminals} />;
    case 'turn-end':
      return <TurnEnd block={block} steps={entry.type === 'turn-end' ? nextSteps(entry) : []} />;
    // The plan is above the editor.
    case 'plan':
      return null;
    case 'child-session':
      return <Child block={block} />;
    case 'session-message':
      return (
        <article className="session-message" aria-label={asSentence(block.heading)}>
          <p className="faint">{asSentence(block.heading)}</p>
          <Blocks content={block.content} isOpen={false} />
        </article>
      );
    case 'notice':
      return (
        <aside className={`notice ${block.severity}`}>
          <strong>{block.title}</strong>
          {block.description !== undefined && <p>{block.description}</p>}
        </aside>
      );
    case 'boundary':
      return block.isExpected ? null : <p className="boundary">{asSentence(block.text)}</p>;
    case 'unknown':
      return (
        <details className="fold">
          <summary>{asSentence(block.text)}</summary>
          <pre>{JSON.stringify(block.update, null, 2)}</pre>
        </details>
      );
    default:
      return block satisfies never;
  }
}

const noTerminals: ReadonlyMap<string, TerminalView> = new Map();

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
  block: { text, isFailure },
  steps,
}: {
  readonly block: TurnEndBlock;
  readonly steps: readonly NextStep[];
}): ReactNode {
  if (text === undefined) return <hr className="turn-end" />;
  return (
    <aside className={`notice ${isFailure ? 'error' : 'info'}`}>
      {isFailure ? `The turn failed: ${text}` : asSentence(text)}
      <NextSteps steps={steps} />
    </aside>
  );
}

/** When the user sent a prompt; of a replay the time is unknown. */
function SentAt({ entry }: { readonly entry: TranscriptEntry }): ReactNode {
  if (entry.type !== 'user' || entry.isReplay) return null;
  const sent = new Date(entry.at);
  const isToday = sent.toDateString() === new Date(serverClock.now()).toDateString();
  return (
    <time
      className="faint"
      dateTime={sent.toISOString()}
      title={sent.toLocaleString()}
      data-time={(isToday ? timeOfDay : dayAndTime).format(sent)}
    />
  );
}

const timeOfDay = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });
const dayAndTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** A child session, folded: its title, its state and its last line. It unfolds to its transcript. */
function Child({ block }: { readonly block: ChildBlock }): ReactNode {
  const { sessionId, title, description, stateText, isOver, isFailure, lastLine, canCancel, transcript } = block;
  const [unfolded] = useState(() => new Map<string, unknown>());
  const [isOpen, toggle] = useFold(false);
  return (
    <details
      className={`tool child ${isFailure ? 'failed' : isOver ? 'completed' : 'in_progress'}`}
      open={isOpen}
      onToggle={toggle}
    >
      <summary>
        <span className="tool-state" role="img" aria-label={stateText}>
          {isOver ? <Icon name={isFailure ? 'cross' : 'check'} /> : <span className="spinner" />}
        </span>
        <Icon name="think" />
        <span className="tool-title" dir="auto">
          <VisibleText text={title} isProse />
        </span>
        <span className="badge">{stateText}</span>
        {!isOpen && lastLine !== '' && (
          <span className="child-line faint">
            <VisibleText text={lastLine} isProse />
          </span>
        )}
      </summary>
      {isOpen && (
        <div className="tool-body">
          {description !== undefined && (
            <p className="faint">
              <VisibleText text={description} isProse />
            </p>
          )}
          {canCancel && <CancelButton work={{ type: 'subagent', sessionId }} name={title} />}
          <GoBack value={undefined}>
            <Unfolded value={unfolded}>
              {[...transcript.entries].map((entry, index) => (
                <RowNumber key={entry.key} value={index}>
                  <Entry entry={entry} terminals={transcript.terminals} />
                </RowNumber>
              ))}
            </Unfolded>
          </GoBack>
        </div>
      )}
    </details>
  );
}

/** A thought of the agent, folded to one line: its first, or while the agent thinks, its last. */
function Thought({ thought }: { readonly thought: MessageBlock }): ReactNode {
  const [isOpen, toggle] = useFold(false);
  const line = isOpen ? '' : thoughtLine(thought);
  return (
    <details className="tool thought" open={isOpen} onToggle={toggle}>
      <summary>
        <span className="tool-state">
          <Icon name="think" />
        </span>
        <span>{thought.isOpen ? 'Thinking…' : 'Thought'}</span>
        <span className="tool-title faint" dir="auto">
          <VisibleText text={line} isProse />
        </span>
      </summary>
      {isOpen && <Blocks content={thought.content} isOpen={thought.isOpen} />}
    </details>
  );
}

/** The maximum length of the line of a thought, in UTF-16 units. */
const longestLine = 160;

function thoughtLine(thought: MessageBlock): string {
  const { isOpen } = thought;
  const text = messageText(thought);
  // Long thoughts grow: only the part that is shown is split into lines.
  const part = isOpen ? text.slice(-longestLine) : text.slice(0, longestLine);
  const lines = part.split('\n').filter((line) => line.trim() !== '');
  return ((isOpen ? lines.at(-1) : lines[0]) ?? '').replaceAll(/^#+ |\*\*|`/g, '');
}
