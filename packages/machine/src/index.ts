export { type CommandShell, commandShell, lineWithInput, shellAt, withoutInput } from './command-shell.ts';
export { entryPath, isEntryName, removeEntry } from './entry-name.ts';
export { FileLock, LockHeldError, type LockHolder, lockHolder, takeLock, withLock } from './file-lock.ts';
export { globMatcher, type GlobOptions, nameMatcher } from './glob.ts';
export { isInside } from './is-inside.ts';
export { type Consent, KeptConsents, type ProjectProposal } from './kept-consents.ts';
export { type FileListing, listFiles, unfitIgnoreFile } from './list-files.ts';
export {
  cacheFolder,
  configFolder,
  dataFolder,
  type EnvironmentVariables,
  OwnFolders,
  ownFoldersReason,
  stateFolder,
} from './own-folders.ts';
export { isRunning, ownIdentity, type ProcessIdentity } from './process-identity.ts';
export { BoundedText, type Line, LineSplitter, type LongLine, readLines } from './read-lines.ts';
export { goesUp, realPath } from './real-path.ts';
export { replaceFile } from './replace-file.ts';
export { foldersUpwards, projectRoot } from './project-root.ts';
export { type ProjectRead, type ReadLimits, readOwnFile, readProjectFile, UnreadableFile } from './read-file.ts';
export { codeOf, isMissing, kindOf, systemError, systemReason, undefinedIfMissing } from './system-reason.ts';
export { literalRun, type Run, wildRuns } from './wild-runs.ts';
