/** The methods that an agent handles. */
export const AGENT_METHODS = {
  initialize: 'initialize',
  auth_login: 'auth/login',
  providers_list: 'providers/list',
  providers_set: 'providers/set',
  providers_disable: 'providers/disable',
  session_new: 'session/new',
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
  tool_call_cancel: 'tool_call/cancel',
  terminal_cancel: 'terminal/cancel',
  auth_logout: 'auth/logout',
  auth_status: 'auth/status',
} as const;

/** The methods that a client handles. */
export const CLIENT_METHODS = {
  session_request_permission: 'session/request_permission',
  session_update: 'session/update',
  mcp_message: 'mcp/message',
  elicitation_create: 'elicitation/create',
  elicitation_complete: 'elicitation/complete',
  auth_status_update: 'auth/status_update',
} as const;

/** The same methods, grouped. */
export const methods = {
  agent: {
    initialize: 'initialize',
    auth: { login: 'auth/login', logout: 'auth/logout', status: 'auth/status' },
    providers: { list: 'providers/list', set: 'providers/set', disable: 'providers/disable' },
    session: {
      new: 'session/new',
      list: 'session/list',
      delete: 'session/delete',
      fork: 'session/fork',
      archive: 'session/archive',
      unarchive: 'session/unarchive',
      status: 'session/status',
      setTitle: 'session/set_title',
      resume: 'session/resume',
      close: 'session/close',
      setConfigOption: 'session/set_config_option',
      prompt: 'session/prompt',
      cancel: 'session/cancel',
    },
    toolCall: { cancel: 'tool_call/cancel' },
    terminal: { cancel: 'terminal/cancel' },
    mcp: { message: 'mcp/message' },
  },
  client: {
    session: { requestPermission: 'session/request_permission', update: 'session/update' },
    mcp: { message: 'mcp/message' },
    elicitation: { create: 'elicitation/create', complete: 'elicitation/complete' },
    auth: { statusUpdate: 'auth/status_update' },
  },
  protocol: { cancelRequest: '$/cancel_request' },
} as const;
