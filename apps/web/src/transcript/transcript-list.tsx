import type { TranscriptEntry } from '@turnwire/client/transcript';
import { memo, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { ErrorBoundary } from '../parts/error-boundary.tsx';
import type { SessionStore } from '../state/session-store.ts';
import { useStore } from '../state/use-store.ts';
import { CallGroupHead } from './call-group-head.tsx';
import { Entry } from './entry.tsx';
import { NextTurn, useNextTurn } from './next-turn.tsx';
import { RowGroups } from './row-groups.ts';
import { RowNumber, useKept } from './use-fold.ts';
import { useRows } from './use-rows.ts';
import { useSought } from './use-sought.ts';
import { Working } from './working.tsx';

/** The entries of a session. Only those near the screen are drawn. */
export function TranscriptList({
  session,
  onRetry,
  onLeave,
}: {
  readonly session: SessionStore;
  /** Tries again to open a session that could not be opened. */
  readonly onRetry: () => void;
  /** Leads to another agent or folder. */
  readonly onLeave: () => void;
}): ReactNode {
  const { view, firstRow, earlier, phase, failure, waiting } = useStore(session.state);
  const { entries, terminals } = view;
  const box = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [unfolded, setUnfolded] = useKept('unfolded groups', noRows);
  const groups = useMemo(() => new RowGroups(entries, firstRow, unfolded), [entries, firstRow, unfolded]);
  const rows = useRows({ first: firstRow, count: entries.length, isHidden: groups.isHidden }, box, list);
  const toggle = (head: number): void => {
    const next = groups.toggled(head);
    rows.refit({ from: head + 1, to: groups.endOf(head) }, new RowGroups(entries, firstRow, next).isHidden);
    setUnfolded(next);
  };
  const nextTurn = useNextTurn(session);
  // A user who sends a prompt wants to see the result.
  const [sent, setSent] = useState(waiting.length);
  if (sent !== waiting.length) {
    setSent(waiting.length);
    if (waiting.length > sent) rows.follow();
  }
  const needsEarlier = rows.from === firstRow && entries.length > 0 && earlier === 'there';
  useEffect(() => {
    if (needsEarlier) void session.readEarlier();
  }, [needsEarlier, session]);
  const found = useSought(session, (row) => {
    const head = groups.headOf(row);
    if (groups.beginningAt(head) && !groups.isUnfolded(head)) toggle(head);
    rows.show(row);
  });
  return (
    <main className="transcript" ref={box} onScroll={rows.onScroll} tabIndex={-1}>
      {entries.length === 0 && <Empty phase={phase} failure={failure} onRetry={onRetry} onLeave={onLeave} />}
      {earlier === 'loading' && <p className="loading-earlier">Loading earlier entries…</p>}
      <div className="rows" ref={list} style={{ paddingTop: rows.before, paddingBottom: rows.after }}>
        <NextTurn value={nextTurn}>
          {entries.slice(rows.from - firstRow, rows.to - firstRow).map((entry, index) => {
            const number = rows.from + index;
            if (groups.isHidden(number)) return null;
            const group = groups.beginningAt(number);
            const isUnfolded = group === undefined || groups.isUnfolded(number);
            return (
              <div
                key={number}
                className={number === found ? 'row found' : 'row'}
                data-row={number}
                data-kind={entry.type}
              >
                <RowNumber value={number}>
                  {group && <CallGroupHead entries={group} isUnfolded={isUnfolded} onToggle={() => toggle(number)} />}
                  {isUnfolded && (
                    <ErrorBoundary instead={() => <RawEntry entry={entry} />}>
                      <MemoEntry entry={entry} terminals={needsTerminals(entry) ? terminals : undefined} />
                    </ErrorBoundary>
                  )}
                </RowNumber>
              </div>
            );
          })}
        </NextTurn>
      </div>
      <Working session={session} />
      {!rows.isFollowing && (
        <button type="button" className="to-end" onClick={rows.follow}>
          To the end
        </button>
      )}
    </main>
  );
}

const noRows: ReadonlySet<number> = new Set();

const MemoEntry = memo(Entry);

/** The raw data of an entry that could not be drawn. */
function RawEntry({ entry }: { readonly entry: TranscriptEntry }): ReactNode {
  return (
    <details className="fold">
      <summary>This entry cannot be shown. Its data:</summary>
      <pre className="raw">{JSON.stringify(entry, null, 2).slice(0, longestRaw)}</pre>
    </details>
  );
}

/** In UTF-16 units. */
const longestRaw = 100_000;

function needsTerminals(entry: { readonly type: string; readonly content?: unknown }): boolean {
  const content = entry.type === 'tool-call' ? (entry.content as readonly { readonly type: string }[]) : [];
  return content.some(({ type }) => type === 'terminal');
}

function Empty({
  phase,
  failure,
  onRetry,
  onLeave,
}: {
  readonly phase: string;
  readonly failure: string | undefined;
  readonly onRetry: () => void;
  readonly onLeave: () => void;
}): ReactNode {
  if (phase === 'failed')
    return (
      <div className="hint">
        <p className="failure">The session could not be opened: {failure}</p>
        <button type="button" className="plain-button" onClick={onRetry}>
          Try again
        </button>{' '}
        <button type="button" className="plain-button" onClick={onLeave}>
          New session, with another agent or folder
        </button>
      </div>
    );
  return (
    <p className="hint">{phase === 'ready' ? 'The session is ready for its first prompt.' : 'Opening the session…'}</p>
  );
}
