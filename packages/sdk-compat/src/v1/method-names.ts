/** The version of the protocol that this entry speaks. */
export const PROTOCOL_VERSION = 1;

/** The methods that an agent handles. */
export const AGENT_METHODS = {
  initialize: 'initialize',
  authenticate: 'authenticate',
  session_new: 'session/new',
  session_load: 'session/load',
  session_set_mode: 'session/set_mode',
  session_set_config_option: 'session/set_config_option',
  session_prompt: 'session/prompt',
  session_cancel: 'session/cancel',
  session_list: 'session/list',
  session_delete: 'session/delete',
  session_resume: 'session/resume',
  session_close: 'session/close',
  logout: 'logout',
} as const;

/** The methods that a client handles. */
export const CLIENT_METHODS = {
  session_request_permission: 'session/request_permission',
  session_update: 'session/update',
  fs_write_text_file: 'fs/write_text_file',
  fs_read_text_file: 'fs/read_text_file',
  terminal_create: 'terminal/create',
  terminal_output: 'terminal/output',
  terminal_release: 'terminal/release',
  terminal_wait_for_exit: 'terminal/wait_for_exit',
  terminal_kill: 'terminal/kill',
  elicitation_create: 'elicitation/create',
  elicitation_complete: 'elicitation/complete',
} as const;

/** The methods of both sides. */
export const PROTOCOL_METHODS = { cancel_request: '$/cancel_request' } as const;

/** The same methods, grouped. */
export const methods = {
  agent: {
    initialize: 'initialize',
    authenticate: 'authenticate',
    logout: 'logout',
    session: {
      new: 'session/new',
      load: 'session/load',
      list: 'session/list',
      delete: 'session/delete',
      resume: 'session/resume',
      close: 'session/close',
      setMode: 'session/set_mode',
      setConfigOption: 'session/set_config_option',
      prompt: 'session/prompt',
      cancel: 'session/cancel',
    },
  },
  client: {
    session: { requestPermission: 'session/request_permission', update: 'session/update' },
    fs: { writeTextFile: 'fs/write_text_file', readTextFile: 'fs/read_text_file' },
    terminal: {
      create: 'terminal/create',
      output: 'terminal/output',
      release: 'terminal/release',
      waitForExit: 'terminal/wait_for_exit',
      kill: 'terminal/kill',
    },
    elicitation: { create: 'elicitation/create', complete: 'elicitation/complete' },
  },
  protocol: { cancelRequest: '$/cancel_request' },
} as const;
