import type { TerminalView, ToolCallEntry } from '@turnwire/client/transcript';
import { type CallBlock, callTime, duration, elapsed, isCallOver } from '@turnwire/client/view';
import type { Diff } from '@turnwire/protocol';
import { lazy, type ReactNode, Suspense } from 'react';
import { CopyButton } from '../parts/copy-button.tsx';
import { Icon, isIconName } from '../parts/icon.tsx';
import { useNow } from '../parts/use-now.ts';
import { VisibleText } from '../parts/visible-text.tsx';
import { useShortPath } from './session-folder.ts';
import { CancelButton } from './background.tsx';
import { ToolContent } from './tool-content.tsx';
import { useFold } from './use-fold.ts';

const DiffSize = lazy(() => import('./file-diff.tsx').then(({ DiffSize: component }) => ({ default: component })));

/** A tool call: one line with its state, which unfolds to its content. The line of a single change names its file. */
export function ToolCall({
  block: { call: entry, title, diffs, changes },
  terminals,
}: {
  readonly block: CallBlock;
  readonly terminals: ReadonlyMap<string, TerminalView> | undefined;
}): ReactNode {
  const { state, kind, command, locations, permission } = entry;
  const isAsked = permission?.state === 'asked';
  // An open question shows the change itself.
  const hasChange = diffs.length > 0 && !isAsked;
  const isFailed = state === 'failed' || isExitFailure(entry);
  const [isOpen, toggle] = useFold(isFailed || hasChange);
  const isNested = entry.parentKey !== undefined;
  const only = diffs.length === 1 && command === undefined ? diffs[0] : undefined;
  return (
    <details
      className={`tool ${isAsked ? 'asking' : isFailed ? 'failed' : state}${isNested ? ' nested' : ''}`}
      open={isOpen}
      onToggle={toggle}
    >
      <summary>
        <span className="tool-state" role="img" aria-label={stateWords(entry)}>
          {isAsked ? (
            <Icon name="wait" />
          ) : (
            <StateIcon state={isFailed ? 'failed' : state} kind={kind} isOver={isCallOver(entry)} />
          )}
        </span>
        {only ? <ChangedFile diff={only} title={title} /> : <Title title={title} command={command} />}
        <Badges entry={entry} />
        <Duration entry={entry} />
        <Icon name="chevron" />
      </summary>
      {isOpen && (
        <div className="tool-body">
          {command !== undefined && <CopyButton text={command} label="Copy the command" />}
          {command !== undefined && title !== command && (
            <p className="faint">
              <VisibleText text={title} isProse />
            </p>
          )}
          <Locations locations={locations.filter(({ path }) => path !== only?.path)} />
          <Changes changes={changes} />
          <ToolContent entry={entry} terminals={terminals} isTitled={only !== undefined} />
          <CancelCall entry={entry} name={title} />
          {entry.ranUnasked !== undefined && (
            <details className="why">
              <summary>It ran without asking</summary>
              <p className="notice warning faint">{entry.ranUnasked}</p>
            </details>
          )}
          {permission?.state === 'answered' && <p className="faint">{permission.reason}</p>}
        </div>
      )}
    </details>
  );
}

function Title({ title, command }: { readonly title: string; readonly command: string | undefined }): ReactNode {
  return (
    <span className={command === undefined ? 'tool-title' : 'tool-title command'} dir="auto">
      <VisibleText text={command ?? title} isProse={command === undefined} />
    </span>
  );
}

/** The file of a change, and the number of its lines. */
function ChangedFile({ diff, title }: { readonly diff: Diff; readonly title: string }): ReactNode {
  const short = useShortPath();
  return (
    <>
      <span className="tool-title path" title={title}>
        <VisibleText text={short(diff.path)} />
      </span>
      <Suspense>
        <DiffSize diff={diff} />
      </Suspense>
    </>
  );
}

function Locations({ locations }: { readonly locations: ToolCallEntry['locations'] }): ReactNode {
  const short = useShortPath();
  if (locations.length === 0) return null;
  return (
    <ul className="locations">
      {locations.map(({ path, line }) => (
        <li key={`${path}:${line ?? ''}`} title={path}>
          <VisibleText text={short(path)} />
          {typeof line === 'number' && `:${line}`}
        </li>
      ))}
    </ul>
  );
}

function Badges({ entry }: { readonly entry: ToolCallEntry }): ReactNode {
  const { state, permission, exitCode } = entry;
  return (
    <>
      {permission?.state === 'asked' && <span className="badge">asks</span>}
      {(state === 'paused' || state === 'cancelled') && <span className="badge">{state}</span>}
      {entry.ranUnasked !== undefined && <span className="badge">unasked</span>}
      {isExitFailure(entry) && <span className="badge failed">exit {exitCode}</span>}
    </>
  );
}

/** The sentences about files that have no diff. */
function Changes({ changes }: { readonly changes: readonly string[] }): ReactNode {
  if (changes.length === 0) return null;
  return (
    <ul className="locations">
      {changes.map((change) => (
        <li key={change}>
          <VisibleText text={change} />
        </li>
      ))}
    </ul>
  );
}

function CancelCall({ entry, name }: { readonly entry: ToolCallEntry; readonly name: string }): ReactNode {
  if (entry.canCancel !== true || isCallOver(entry)) return null;
  return <CancelButton work={{ type: 'tool_call', toolCallId: entry.toolCallId }} name={name} />;
}

/** The kind of a call that succeeded, and the state of any other. */
function StateIcon({
  state,
  kind,
  isOver,
}: {
  readonly state: string;
  readonly kind: string;
  readonly isOver: boolean;
}): ReactNode {
  if (state === 'paused') return <Icon name="wait" />;
  if (!isOver) return <span className="spinner" />;
  if (state !== 'completed') return <Icon name="cross" />;
  return <Icon name={isIconName(kind) ? kind : 'other'} />;
}

/** Whether a command failed, even if its agent reports the call as completed. */
function isExitFailure({ exitCode }: ToolCallEntry): boolean {
  return typeof exitCode === 'number' && exitCode !== 0;
}

function stateWords(entry: ToolCallEntry): string {
  const words = entry.state.replaceAll('_', ' ');
  return isExitFailure(entry) ? `${words}, exit code ${entry.exitCode}` : words;
}

/** The shortest durations shown, in milliseconds, of running and ended calls. */
const shortest = { running: 1_000, ended: 100 };

/** The duration of a call, without the time spent waiting for an answer. */
function Duration({ entry }: { readonly entry: ToolCallEntry }): ReactNode {
  const isRunning = !isCallOver(entry);
  const now = useNow(isRunning && entry.permission?.state !== 'asked' ? 1_000 : undefined);
  const time = callTime(entry, now);
  if (time === undefined || time < (isRunning ? shortest.running : shortest.ended)) return null;
  return <span className="duration">{isRunning ? elapsed(time) : duration(time)}</span>;
}
