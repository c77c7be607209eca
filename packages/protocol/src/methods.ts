/**
 * Every method of the stable protocol, as data. Types, dispatch, gates and documentation derive from this table:
 * adding a method is one row.
 *
 * - `side`: the side that handles it (`both` for protocol-level methods)
 * - `params`, `result`: names of schema definitions
 * - `capability`: what the handling side must have advertised, as a path into its capabilities
 */
export const methods = {
  initialize: { side: 'agent', kind: 'request', params: 'InitializeRequest', result: 'InitializeResponse' },
  authenticate: { side: 'agent', kind: 'request', params: 'AuthenticateRequest', result: 'AuthenticateResponse' },
  logout: { side: 'agent', kind: 'request', params: 'LogoutRequest', result: 'LogoutResponse', capability: 'auth.logout' },
  'session/new': { side: 'agent', kind: 'request', params: 'NewSessionRequest', result: 'NewSessionResponse' },
  'session/load': { side: 'agent', kind: 'request', params: 'LoadSessionRequest', result: 'LoadSessionResponse', capability: 'loadSession' },
  'session/list': { side: 'agent', kind: 'request', params: 'ListSessionsRequest', result: 'ListSessionsResponse', capability: 'sessionCapabilities.list' },
  'session/delete': { side: 'agent', kind: 'request', params: 'DeleteSessionRequest', result: 'DeleteSessionResponse', capability: 'sessionCapabilities.delete' },
  'session/resume': { side: 'agent', kind: 'request', params: 'ResumeSessionRequest', result: 'ResumeSessionResponse', capability: 'sessionCapabilities.resume' },
  'session/close': { side: 'agent', kind: 'request', params: 'CloseSessionRequest', result: 'CloseSessionResponse', capability: 'sessionCapabilities.close' },
  'session/set_mode': { side: 'agent', kind: 'request', params: 'SetSessionModeRequest', result: 'SetSessionModeResponse' },
  'session/set_config_option': { side: 'agent', kind: 'request', params: 'SetSessionConfigOptionRequest', result: 'SetSessionConfigOptionResponse' },
  'session/prompt': { side: 'agent', kind: 'request', params: 'PromptRequest', result: 'PromptResponse' },
  'session/cancel': { side: 'agent', kind: 'notification', params: 'CancelNotification' },
  'session/request_permission': { side: 'client', kind: 'request', params: 'RequestPermissionRequest', result: 'RequestPermissionResponse' },
  'session/update': { side: 'client', kind: 'notification', params: 'SessionNotification' },
  'fs/read_text_file': { side: 'client', kind: 'request', params: 'ReadTextFileRequest', result: 'ReadTextFileResponse', capability: 'fs.readTextFile' },
  'fs/write_text_file': { side: 'client', kind: 'request', params: 'WriteTextFileRequest', result: 'WriteTextFileResponse', capability: 'fs.writeTextFile' },
  'terminal/create': { side: 'client', kind: 'request', params: 'CreateTerminalRequest', result: 'CreateTerminalResponse', capability: 'terminal' },
  'terminal/output': { side: 'client', kind: 'request', params: 'TerminalOutputRequest', result: 'TerminalOutputResponse', capability: 'terminal' },
  'terminal/wait_for_exit': { side: 'client', kind: 'request', params: 'WaitForTerminalExitRequest', result: 'WaitForTerminalExitResponse', capability: 'terminal' },
  'terminal/kill': { side: 'client', kind: 'request', params: 'KillTerminalRequest', result: 'KillTerminalResponse', capability: 'terminal' },
  'terminal/release': { side: 'client', kind: 'request', params: 'ReleaseTerminalRequest', result: 'ReleaseTerminalResponse', capability: 'terminal' },
  'elicitation/create': {
    side: 'client',
    kind: 'request',
    params: 'CreateElicitationRequest',
    result: 'CreateElicitationResponse',
    capability: ['elicitation.form', 'elicitation.url'],
  },
  'elicitation/complete': { side: 'client', kind: 'notification', params: 'CompleteElicitationNotification', capability: 'elicitation.url' },
  '$/cancel_request': { side: 'both', kind: 'notification', params: 'CancelRequestNotification' },
} as const;
