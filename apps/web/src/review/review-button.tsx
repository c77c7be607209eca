import type { ReactNode } from 'react';
import { useStorePart } from '../state/use-store.ts';
import type { ShownReview } from './use-review.ts';

/** Opens the review, and shows the number of changed files. Nothing if the server records no changes. */
export function ReviewButton({ review: { store, isOpen, open, close } }: { readonly review: ShownReview }): ReactNode {
  const count = useStorePart(store.state, ({ overview }) => overview?.files.length);
  const isOff = useStorePart(store.state, (state) => state.isOff);
  if (isOff) return null;
  return (
    <button type="button" className="bare review-button" aria-expanded={isOpen} onClick={isOpen ? close : open}>
      Review
      {count !== undefined && count > 0 && (
        <>
          <span className="badge">{count}</span>
          <span className="unseen">{count === 1 ? 'changed file' : 'changed files'}</span>
        </>
      )}
    </button>
  );
}
