/** The methods that an agent handles. */
export const AGENT_METHODS = {
  initialize: 'initialize',
  authenticate: 'authenticate',
  providers_list: 'providers/list',
  providers_set: 'providers/set',
  providers_disable: 'providers/disable',
  session_new: 'session/new',
  session_load: 'session/load',
  session_set_mode: 'session/set_mode',
  session_set_config_option: 'session/set_config_option',
  session_prompt: 'session/prompt',
  session_cancel: 'session/cancel',
  mcp_message: 'mcp/message',
  session_list: 'session/list',
  session_delete: 'session/delete',
  session_fork: 'session/fork',
  session_archive: 'session/archive',
  session_unarchive: 'session/unarchive',
  session_status: 'session/status',
  session_set_title: 'session/set_title',
  session_resume: 'session/resume',
  session_close: 'session/close',
  logout: 'logout',
  auth_status: 'auth/status',
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
  mcp_message: 'mcp/message',
  elicitation_create: 'elicitation/create',
  elicitation_complete: 'elicitation/complete',
  auth_status_update: 'auth/status_update',
} as const;

/** The methods between proxies. */
export const PROXY_METHODS = { proxy_initialize: 'proxy/initialize', proxy_successor: 'proxy/successor' } as const;

/** The same methods, grouped. */
export const methods = {
  agent: {
    initialize: 'initialize',
    authenticate: 'authenticate',
    logout: 'logout',
    auth: { status: 'auth/status' },
    providers: { list: 'providers/list', set: 'providers/set', disable: 'providers/disable' },
    session: {
      new: 'session/new',
      load: 'session/load',
      list: 'session/list',
      delete: 'session/delete',
      fork: 'session/fork',
      archive: 'session/archive',
      unarchive: 'session/unarchive',
      status: 'session/status',
      setTitle: 'session/set_title',
      resume: 'session/resume',
      close: 'session/close',
      setMode: 'session/set_mode',
      setConfigOption: 'session/set_config_option',
      prompt: 'session/prompt',
      cancel: 'session/cancel',
    },
    mcp: { message: 'mcp/message' },
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
    mcp: { message: 'mcp/message' },
    elicitation: { create: 'elicitation/create', complete: 'elicitation/complete' },
    auth: { statusUpdate: 'auth/status_update' },
  },
  protocol: { cancelRequest: '$/cancel_request' },
} as const;
