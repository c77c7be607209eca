export { Foreground, type ForegroundEnd } from './foreground.ts';
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
} from './update-in-version-2.ts';
