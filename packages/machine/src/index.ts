export { appendBounded } from './append-bounded.ts';
export { assetPath } from './asset-path.ts';
export { type CommandShell, commandShell, lineWithInput, shellAt, withoutInput } from './command-shell.ts';
export { entryPath, isEntryName, removeEntry } from './entry-name.ts';
export { ExactInteger, restored, sheltered, withExactIntegers, withMarkedIntegers } from './exact-integers.ts';
export {
  type FileOperation,
  knownLetters,
  type OperationContext,
  type OperationStep,
} from './file-operations/file-operation.ts';
export { runFileOperations } from './file-operations/run-file-operations.ts';
export { FileLock, LockHeldError, type LockHolder, lockHolder, takeLock, waitForLock, withLock } from './file-lock.ts';
export { environmentVariable, findProgram, programContext, type ProgramContext } from './find-program.ts';
export { globMatcher, type GlobOptions, nameMatcher } from './glob.ts';
export { holdingHere } from './holding/holding-here.ts';
export { type HeldFile, type HeldFolder, type Holding, MovedError } from './holding/holding.ts';
export { isInside } from './is-inside.ts';
export { type Consent, KeptConsents, type ProjectProposal } from './kept-consents.ts';
export { commonGitFolder, gitBranch, gitFolder } from './git-folder.ts';
export { type FileListing, listFiles, unfitIgnoreFile, withoutInstalled } from './list-files.ts';
export {
  cacheFolder,
  configFolder,
  dataFolder,
  type EnvironmentVariables,
  homeFolder,
  OwnFolders,
  ownFoldersReason,
  stateFolder,
} from './own-folders.ts';
export { makeFolder } from './make-folder.ts';
export { McpConfigError, type McpConfigOptions, readMcpConfig } from './mcp-config/read-mcp-config.ts';
export { expanded, type VariableSource } from './mcp-config/variables.ts';
export type { ConfiguredMcpServer } from './mcp-config/read-server.ts';
export type { NamedValue } from './mcp-config/server-entry.ts';
export { OutputTail } from './output-tail.ts';
export { PathTurns } from './path-turns.ts';
export { endWithLeader } from './processes/end-with-leader.ts';
export { disown } from './processes/owned-trees.ts';
export type { EndSteps, ProcessTree } from './processes/process-tree.ts';
export { endOf, pipesRead } from './processes/process-end.ts';
export { onOnePipe, shellRule, type SpawnRule, spawnRule } from './processes/spawn-rules.ts';
export { startFailure } from './processes/start-failure.ts';
export { type ProcessContext, type Started, startTree } from './processes/start-tree.ts';
export { isRunning, ownIdentity, type ProcessIdentity } from './process-identity.ts';
export { BoundedText, type Line, LineSplitter, type LongLine, readLines } from './read-lines.ts';
export { goesUp, realPath } from './real-path.ts';
export { type FileTarget, replaceFile, replaceHeldFile, type Replacement } from './replace-file.ts';
export { foldersUpwards, projectRoot } from './project-root.ts';
export { type ProjectRead, type ReadLimits, readOwnFile, readProjectFile, UnreadableFile } from './read-file.ts';
export { folderProblem, type SocketLocation, socketLocation } from './socket-location.ts';
export {
  codeOf,
  isMissing,
  kindOf,
  systemError,
  systemFailure,
  systemReason,
  undefinedIfMissing,
} from './system-reason.ts';
export { linkTargetFrom, whereItLeads } from './where-it-leads.ts';
export { literalRun, type Run, wildRuns } from './wild-runs.ts';
export { isWindowsDevice } from './windows-device.ts';
export { localDay } from './local-day.ts';
