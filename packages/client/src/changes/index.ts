export { changedWords, type ChangedLine, type TextSpan } from './changed-words.ts';
export {
  type DiffLine,
  type DiffRow,
  diffRows,
  diffSize,
  type FoldedRows,
  foldedRows,
  type HunkLines,
  hunkRows,
} from './diff-rows.ts';
export { patchText } from './patch-text.ts';
