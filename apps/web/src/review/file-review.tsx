import type { ReviewedChange, ReviewedFile } from '@turnwire/protocol';
import type { ReactNode } from 'react';
import { VisibleText } from '../parts/visible-text.tsx';
import { useStorePart } from '../state/use-store.ts';
import { Decisions } from './decisions.tsx';
import { FileHunks } from './file-hunks.tsx';
import type { ReviewStore } from './review-store.ts';

/** A changed file: its size, the decisions about it, and its hunks once it is unfolded. */
export function FileReview({ store, file }: { readonly store: ReviewStore; readonly file: ReviewedFile }): ReactNode {
  const { path, change, added, removed, hunks, version } = file;
  const isBusy = useStorePart(store.state, (state) => state.isBusy);
  const isUnfolded = useStorePart(store.state, ({ unfolded }) => unfolded.has(path));
  const text = useStorePart(store.state, ({ unfolded }) => unfolded.get(path));
  const whole: readonly ReviewedChange[] = [{ path, version }];
  return (
    <figure className="diff reviewed">
      <figcaption>
        <button
          type="button"
          className="bare unfold"
          aria-expanded={isUnfolded}
          onClick={() => void store.unfold(file, !isUnfolded)}
        >
          <span className="path">
            <VisibleText text={path} />
          </span>
        </button>
        {change !== 'changed' && <span className="badge">{change === 'added' ? 'new' : change}</span>}
        {hunks > 0 ? (
          <span className="sizes">
            <span className="added">+{added}</span> <span className="removed">−{removed}</span>
          </span>
        ) : (
          <span className="faint">as a whole</span>
        )}
        <Decisions what={path} isBusy={isBusy} onDecide={(decision) => void store.decide(decision, whole)} />
      </figcaption>
      {isUnfolded && !text && <p className="hint">Loading…</p>}
      {text && <FileHunks {...{ store, text, isBusy }} />}
    </figure>
  );
}
