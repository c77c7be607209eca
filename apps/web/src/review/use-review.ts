import { useCallback, useEffect, useState } from 'react';
import type { SessionStore } from '../state/session-store.ts';
import { useStorePart } from '../state/use-store.ts';
import { ReviewStore } from './review-store.ts';

/** The review of a session and its panel. The open panel is an entry in the history of the browser. */
export interface ShownReview {
  readonly store: ReviewStore;
  readonly isOpen: boolean;
  readonly open: () => void;
  readonly close: () => void;
}

/** Loads the review when the session opens and after each turn. Observers have none. */
export function useReview(session: SessionStore): ShownReview {
  const [store] = useState(() => new ReviewStore(session));
  const [isOpen, setOpen] = useState(isReviewEntry);
  const isLoaded = useStorePart(
    session.state,
    ({ role, phase, workingSince }) => role === 'control' && phase === 'ready' && workingSince === undefined,
  );
  useEffect(() => {
    if (isLoaded) void store.load();
  }, [isLoaded, store]);
  useEffect(() => {
    const onHistory = (): void => setOpen(isReviewEntry());
    addEventListener('popstate', onHistory);
    return () => removeEventListener('popstate', onHistory);
  }, []);
  const open = useCallback((): void => {
    if (!isReviewEntry()) history.pushState({ isReview: true }, '');
    setOpen(true);
    void store.load();
  }, [store]);
  const close = useCallback((): void => {
    if (isReviewEntry()) history.back();
    else setOpen(false);
  }, []);
  return { store, isOpen, open, close };
}

function isReviewEntry(): boolean {
  return (history.state as { readonly isReview?: unknown } | null)?.isReview === true;
}
