import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { SessionStore } from '../state/session-store.ts';
import { useStore } from '../state/use-store.ts';
import { Entry } from './entry.tsx';

/** How near the end counts as at the end, in pixels. */
const nearEnd = 48;

/** The entries of a session, of which only those near the screen are drawn. It follows the end until the user scrolls away. */
export function TranscriptList({ session }: { readonly session: SessionStore }): ReactNode {
  const { view, phase, failure, waiting } = useStore(session.state);
  const { entries, terminals } = view;
  const scroller = useRef<HTMLDivElement>(null);
  const [isFollowing, setFollowing] = useState(true);
  const rows = useVirtualizer({
    count: entries.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 64,
    getItemKey: (index) => entries.at(index)?.key ?? index,
    overscan: 8,
  });
  const height = rows.getTotalSize();
  // Who sends a prompt wants to see what comes of it.
  const [sent, setSent] = useState(waiting.length);
  if (sent !== waiting.length) {
    setSent(waiting.length);
    if (waiting.length > sent) setFollowing(true);
  }
  useLayoutEffect(() => {
    const box = scroller.current;
    if (isFollowing && box) box.scrollTop = box.scrollHeight;
  }, [isFollowing, height, view]);
  useEffect(() => {
    const box = scroller.current;
    if (!isFollowing || !box) return undefined;
    // A question below makes the list shorter.
    const observer = new ResizeObserver(() => (box.scrollTop = box.scrollHeight));
    observer.observe(box);
    return () => observer.disconnect();
  }, [isFollowing]);
  const followIfAtEnd = ({ currentTarget: box }: { readonly currentTarget: HTMLElement }): void =>
    setFollowing(box.scrollHeight - box.scrollTop - box.clientHeight < nearEnd);
  return (
    <main className="transcript" ref={scroller} onScroll={followIfAtEnd} tabIndex={-1}>
      {entries.length === 0 && <Empty phase={phase} failure={failure} />}
      <div className="rows" style={{ height }}>
        {rows.getVirtualItems().map(({ key, index, start }) => {
          const entry = entries.at(index);
          return (
            <div
              key={key}
              className="row"
              data-index={index}
              ref={rows.measureElement}
              style={{ transform: `translateY(${start}px)` }}
            >
              {entry && <MemoEntry entry={entry} terminals={needsTerminals(entry) ? terminals : undefined} />}
            </div>
          );
        })}
      </div>
      {!isFollowing && (
        <button type="button" className="to-end" onClick={() => setFollowing(true)}>
          To the end
        </button>
      )}
    </main>
  );
}

const MemoEntry = memo(Entry);

function needsTerminals(entry: { readonly type: string; readonly content?: unknown }): boolean {
  const content = entry.type === 'tool-call' ? (entry.content as readonly { readonly type: string }[]) : [];
  return content.some(({ type }) => type === 'terminal');
}

function Empty({ phase, failure }: { readonly phase: string; readonly failure: string | undefined }): ReactNode {
  if (phase === 'failed') return <p className="hint failure">The session could not be opened: {failure}</p>;
  if (phase !== 'ready') return <p className="hint">Opening the session…</p>;
  return <p className="hint">What is to be done?</p>;
}
