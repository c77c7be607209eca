import type { TranscriptEntry } from '@turnwire/client/transcript';
import { callGroup, duration } from '@turnwire/client/view';
import { type ReactNode, useMemo } from 'react';
import { Icon } from '../parts/icon.tsx';

/** The shortest time that a group shows, in milliseconds. */
const shortest = 100;

/** The line of a group of calls, which unfolds and folds its rows. */
export function CallGroupHead({
  entries,
  isUnfolded,
  onToggle,
}: {
  readonly entries: readonly TranscriptEntry[];
  readonly isUnfolded: boolean;
  readonly onToggle: () => void;
}): ReactNode {
  // The entries of a group rarely change, but the list is a new one in each frame.
  const [first, last] = [entries[0], entries.at(-1)];
  const { text, time, unasked } = useMemo(() => callGroup(entries), [entries.length, first, last]);
  return (
    <button type="button" className="call-group" aria-expanded={isUnfolded} onClick={onToggle}>
      <Icon name="check" />
      <span className="tool-title">{text}</span>
      {unasked > 0 && <span className="badge">{unasked} unasked</span>}
      {time >= shortest && <span className="duration">{duration(time)}</span>}
      <Icon name="chevron" />
    </button>
  );
}
