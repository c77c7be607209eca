import type { TranscriptEntry } from '@turnwire/client/transcript';
import { memo, type ReactNode, useEffect, useRef, useState } from 'react';
import { ErrorBoundary } from '../parts/error-boundary.tsx';
import type { SessionStore } from '../state/session-store.ts';
import { useStore } from '../state/use-store.ts';
import { Entry } from './entry.tsx';
import { soughtRow } from './sought-row.ts';
import { RowNumber } from './use-fold.ts';
import { useRows } from './use-rows.ts';

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
  const { view, firstRow, earlier, phase, failure, waiting, sought } = useStore(session.state);
  const { entries, terminals } = view;
  const box = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const rows = useRows({ first: firstRow, count: entries.length }, box, list);
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
  const [foundRow, setFoundRow] = useState<number>();
  const { show } = rows;
  useEffect(() => {
    if (!sought || phase !== 'ready' || earlier === 'loading') return;
    if (earlier === 'there' && !session.hasLoaded(sought.cursor)) return void session.readEarlier();
    const row = soughtRow({ entries, firstRow }, sought);
    session.endSeek();
    setFoundRow(row);
    if (row !== undefined) show(row);
  }, [earlier, entries, firstRow, phase, session, show, sought]);
  return (
    <main className="transcript" ref={box} onScroll={rows.onScroll} tabIndex={-1}>
      {entries.length === 0 && <Empty phase={phase} failure={failure} onRetry={onRetry} onLeave={onLeave} />}
      {earlier === 'loading' && <p className="loading-earlier">Loading earlier entries…</p>}
      <div className="rows" ref={list} style={{ paddingTop: rows.before, paddingBottom: rows.after }}>
        {entries.slice(rows.from - firstRow, rows.to - firstRow).map((entry, index) => {
          const number = rows.from + index;
          return (
            <div key={number} className={number === foundRow ? 'row found' : 'row'} data-row={number}>
              <RowNumber value={number}>
                <ErrorBoundary instead={() => <RawEntry entry={entry} />}>
                  <MemoEntry entry={entry} terminals={needsTerminals(entry) ? terminals : undefined} />
                </ErrorBoundary>
              </RowNumber>
            </div>
          );
        })}
      </div>
      {!rows.isFollowing && (
        <button type="button" className="to-end" onClick={rows.follow}>
          To the end
        </button>
      )}
    </main>
  );
}

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
