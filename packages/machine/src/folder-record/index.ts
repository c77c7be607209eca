export {
  type ChangedFile,
  changedFiles,
  type ChosenChange,
  type FileChange,
  type Hunk,
  patchOf,
  type TreeEntry,
} from './changed-files.ts';
export { FolderRecord, type TakenBack, type TurnStart, UnfinishedTurn } from './folder-record.ts';
export { FolderStates } from './folder-states.ts';
export { Git, GitError, gitOutsideOf, runGit } from './git.ts';
export type { RecordedTurn } from './recorded-turns.ts';
export { commentOn, commentsPrompt, type ReviewComment, ReviewComments } from './review-comments.ts';
export { ChangedSince, type PatchFailure, type Restoration, type RestorationPlan } from './restorations.ts';
