import type { ReviewOverview, UnsentComment } from '@turnwire/protocol';
import type { ReactNode } from 'react';
import { VisibleText } from '../parts/visible-text.tsx';
import type { ReviewStore } from './review-store.ts';

/** The comments that the agent has not received, and the button that sends them. */
export function UnsentComments({
  store,
  overview: { comments },
  isBusy,
}: {
  readonly store: ReviewStore;
  readonly overview: ReviewOverview;
  readonly isBusy: boolean;
}): ReactNode {
  if (comments.length === 0) return null;
  const count = comments.length === 1 ? 'One comment' : `${comments.length} comments`;
  return (
    <section className="unsent" aria-label="Comments for the agent">
      <details>
        <summary>{count} for the agent</summary>
        <ul>
          {comments.map((comment, index) => (
            <li key={index}>
              <span>
                <span className="path">
                  <VisibleText text={locationOf(comment)} />
                </span>{' '}
                <VisibleText text={comment.text} isProse />
              </span>
              <button
                type="button"
                className="bare"
                disabled={isBusy}
                aria-label={`Remove the comment on ${locationOf(comment)}`}
                onClick={() => void store.forget(comment)}
              >
                Remove
              </button>
            </li>
          ))}
        </ul>
      </details>
      <button type="button" className="primary" disabled={isBusy} onClick={() => void store.send()}>
        Send comments to the agent
      </button>
    </section>
  );
}

function locationOf({ path, lines }: UnsentComment): string {
  if (!lines) return path;
  const [first, last] = lines;
  return first === last ? `${path}:${first}` : `${path}:${first}-${last}`;
}
