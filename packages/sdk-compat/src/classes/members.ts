/** A method of the protocol, with the names that implementations of the interfaces have given it, the newest first. */
export type Member = readonly [method: string, ...names: string[]];

/** The requests that an `Agent` handles. */
export const agentRequests: readonly Member[] = [
  ['initialize', 'initialize'],
  ['authenticate', 'authenticate'],
  ['logout', 'logout', 'unstable_logout'],
  ['session/new', 'newSession'],
  ['session/load', 'loadSession'],
  ['session/list', 'listSessions', 'unstable_listSessions'],
  ['session/fork', 'unstable_forkSession'],
  ['session/resume', 'resumeSession', 'unstable_resumeSession'],
  ['session/close', 'closeSession', 'unstable_closeSession'],
  ['session/delete', 'deleteSession', 'unstable_deleteSession'],
  ['session/set_mode', 'setSessionMode'],
  ['session/set_model', 'unstable_setSessionModel', 'setSessionModel'],
  ['session/set_config_option', 'setSessionConfigOption', 'unstable_setSessionConfigOption'],
  ['session/prompt', 'prompt'],
  ['providers/list', 'unstable_listProviders'],
  ['providers/set', 'unstable_setProvider'],
  ['providers/disable', 'unstable_disableProvider'],
  ['nes/start', 'unstable_startNes'],
  ['nes/suggest', 'unstable_suggestNes'],
  ['nes/close', 'unstable_closeNes'],
];

/** The notifications that an `Agent` handles. */
export const agentNotifications: readonly Member[] = [
  ['session/cancel', 'cancel'],
  ['document/didOpen', 'unstable_didOpenDocument'],
  ['document/didChange', 'unstable_didChangeDocument'],
  ['document/didClose', 'unstable_didCloseDocument'],
  ['document/didSave', 'unstable_didSaveDocument'],
  ['document/didFocus', 'unstable_didFocusDocument'],
  ['nes/accept', 'unstable_acceptNes'],
  ['nes/reject', 'unstable_rejectNes'],
];

/** The requests that a `Client` handles. */
export const clientRequests: readonly Member[] = [
  ['session/request_permission', 'requestPermission'],
  ['fs/write_text_file', 'writeTextFile'],
  ['fs/read_text_file', 'readTextFile'],
  ['terminal/create', 'createTerminal'],
  ['terminal/output', 'terminalOutput'],
  ['terminal/release', 'releaseTerminal'],
  ['terminal/wait_for_exit', 'waitForTerminalExit'],
  ['terminal/kill', 'killTerminal'],
  ['elicitation/create', 'createElicitation', 'unstable_createElicitation'],
];

/** The notifications that a `Client` handles. */
export const clientNotifications: readonly Member[] = [
  ['session/update', 'sessionUpdate'],
  ['elicitation/complete', 'completeElicitation', 'unstable_completeElicitation'],
];
