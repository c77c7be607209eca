export { type ChangedFile, type FileChange, type Hunk, patchOf } from './changed-files.ts';
export { FolderRecord, type PatchFailure, type RecordedTurn } from './folder-record.ts';
export { GitError } from './git.ts';
export { TurnRecorder } from './turn-recorder.ts';
