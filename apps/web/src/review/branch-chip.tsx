import type { ReactNode } from 'react';
import { VisibleText } from '../parts/visible-text.tsx';
import { useStorePart } from '../state/use-store.ts';
import type { ShownReview } from './use-review.ts';

/** The branch on which the session works, and its place if it has one. */
export function BranchChip({ review: { store } }: { readonly review: ShownReview }): ReactNode {
  const branch = useStorePart(store.state, ({ overview }) => overview?.branch);
  const place = useStorePart(store.state, ({ overview }) => overview?.place);
  const text = place ? [place.kind, branch ?? place.name].join(' ') : branch;
  if (text === undefined) return null;
  return (
    <span className="chip branch" title={place ? `In the ${place.kind} ${place.name}` : 'The branch of the folder'}>
      <VisibleText text={text} />
    </span>
  );
}
