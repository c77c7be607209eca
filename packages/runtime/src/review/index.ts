export {
  commitReview,
  type ProposedCommit,
  proposedCommit,
  type ReviewCommit,
  type WantedCommit,
} from './commit-review.ts';
export { SessionReview, type SessionReviewParts } from './session-review.ts';
export { TurnRecorder, type TurnRecorderOptions } from './turn-recorder.ts';
