import type { JournalEntry } from '../wire/messages.ts';

/** How many frames show a violation at a glance: what began it, what led to it, and the message that breaks the requirement. */
export const keyFrameCount = 3;

/** The frames of a finding that matter most, in order: the first, and the last two. The others lie between them. */
export function keyFrames(evidence: readonly JournalEntry[]): readonly JournalEntry[] {
  return evidence.length <= keyFrameCount ? evidence : [...evidence.slice(0, 1), ...evidence.slice(1 - keyFrameCount)];
}
