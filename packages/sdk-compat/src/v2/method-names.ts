/** The version of the protocol that this entry speaks. */
export const PROTOCOL_VERSION = 2;

/** The methods that an agent handles. */
export const AGENT_METHODS = {
  initialize: 'initialize',
  auth_login: 'auth/login',
  session_new: 'session/new',
  session_set_config_option: 'session/set_config_option',
  session_prompt: 'session/prompt',
  session_cancel: 'session/cancel',
  session_list: 'session/list',
  session_delete: 'session/delete',
  session_resume: 'session/resume',
  session_close: 'session/close',
  tool_call_cancel: 'tool_call/cancel',
  terminal_cancel: 'terminal/cancel',
  auth_logout: 'auth/logout',
} as const;

/** The methods that a client handles. */
export const CLIENT_METHODS = {
  session_request_permission: 'session/request_permission',
  session_update: 'session/update',
  elicitation_create: 'elicitation/create',
  elicitation_complete: 'elicitation/complete',
} as const;

/** The methods of both sides. */
export const PROTOCOL_METHODS = { cancel_request: '$/cancel_request' } as const;

/** The same methods, grouped. */
export const methods = {
  agent: {
    initialize: 'initialize',
    auth: { login: 'auth/login', logout: 'auth/logout' },
    session: {
      new: 'session/new',
      list: 'session/list',
      delete: 'session/delete',
      resume: 'session/resume',
      close: 'session/close',
      setConfigOption: 'session/set_config_option',
      prompt: 'session/prompt',
      cancel: 'session/cancel',
    },
    toolCall: { cancel: 'tool_call/cancel' },
    terminal: { cancel: 'terminal/cancel' },
  },
  client: {
    session: { requestPermission: 'session/request_permission', update: 'session/update' },
    elicitation: { create: 'elicitation/create', complete: 'elicitation/complete' },
  },
  protocol: { cancelRequest: '$/cancel_request' },
} as const;
