import type { ReactNode } from 'react';

/** Accepts or rejects a change. */
export function Decisions({
  what,
  isBusy,
  onDecide,
}: {
  /** The change, for screen readers. */
  readonly what: string;
  readonly isBusy: boolean;
  readonly onDecide: (decision: 'accept' | 'reject') => void;
}): ReactNode {
  return (
    <span className="decisions">
      <button
        type="button"
        className="bare accept"
        disabled={isBusy}
        aria-label={`Accept ${what}`}
        onClick={() => onDecide('accept')}
      >
        Accept
      </button>
      <button
        type="button"
        className="bare reject"
        disabled={isBusy}
        aria-label={`Reject ${what}`}
        onClick={() => onDecide('reject')}
      >
        Reject
      </button>
    </span>
  );
}
