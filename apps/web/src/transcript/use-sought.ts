import { useEffect, useState } from 'react';
import type { SessionStore } from '../state/session-store.ts';
import { useStore } from '../state/use-store.ts';
import { soughtRow } from './sought-row.ts';

/**
 * Finds the row of a text that the user chose in a search, and loads earlier entries until it is there.
 * @param show scrolls to the row
 * @returns the row that was found last
 */
export function useSought(session: SessionStore, show: (row: number) => void): number | undefined {
  const { view, firstRow, earlier, phase, sought } = useStore(session.state);
  const { entries } = view;
  const [found, setFound] = useState<number>();
  useEffect(() => {
    if (!sought || phase !== 'ready' || earlier === 'loading') return;
    if (earlier === 'there' && !session.hasLoaded(sought.cursor)) return void session.readEarlier();
    const row = soughtRow({ entries, firstRow }, sought);
    session.endSeek();
    setFound(row);
    if (row !== undefined) show(row);
  }, [earlier, entries, firstRow, phase, session, show, sought]);
  return found;
}
