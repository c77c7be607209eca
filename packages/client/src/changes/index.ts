export { changedWords, type ChangedLine, type TextSpan } from './changed-words.ts';
export { type FileChange, sessionChanges, textBefore } from './session-changes.ts';
