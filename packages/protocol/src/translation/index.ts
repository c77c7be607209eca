export { Foreground, type ForegroundEnd, foregroundError, type StateUpdate } from './foreground.ts';
export {
  agentCapabilitiesInVersion2,
  authMethodInVersion2,
  clientCapabilitiesInVersion1,
  mcpServersInVersion1,
} from './introduction.ts';
export {
  elicitationAnswerInVersion1,
  elicitationInVersion2,
  permissionOutcomeInVersion1,
  permissionRequestInVersion2,
} from './question.ts';
export { type TerminalCommands, terminalUpdates } from './terminal-updates.ts';
export {
  commandInVersion2,
  historyInVersion2,
  MessageIds,
  modeOptionId,
  optionInVersion2,
  optionsInVersion2,
  toolCallInVersion2,
  updateInVersion2,
  updatesInVersion2,
} from './update-in-version-2.ts';
export { agentInVersion1, clientInVersion2, mcpServersInVersion2 } from './introduction-in-version-1.ts';
export { type Loss, losses, lossOf } from './losses.ts';
export { plainCall, plainUpdate } from './plain-update.ts';
export {
  questionInVersion1,
  type QuestionInVersion1,
  saidQuestion,
  withSaidQuestion,
  withTitleInContent,
} from './question-in-version-1.ts';
export { shownOptions } from './shown-options.ts';
export { changedMode, type ReportedSession, unreported, updatesInVersion1 } from './updates-in-version-1.ts';
export { commandsInVersion1, modesInVersion1, optionsInVersion1 } from './values-in-version-1.ts';
