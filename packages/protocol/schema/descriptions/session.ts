import type { Descriptions } from '../schema.ts';

export const sessionDescriptions: Descriptions = {
  SessionId: {
    '': 'Identifies a session: a conversation with its own history, context and state. The agent chooses it, and the client does not interpret it.',
  },
  CloseSessionRequest: {
    '': 'Closes a session: the agent cancels its work and frees its resources, but does not delete it. Needs the agent capability `sessionCapabilities.close`.',
    sessionId: 'The session to close.',
  },
  CloseSessionResponse: {
    '': 'The session is closed.',
  },
  LoadSessionRequest: {
    '': 'Opens an earlier session. The agent replays its history as updates before it answers. Needs the agent capability `loadSession`.',
    mcpServers: 'The MCP servers that the agent connects to.',
    cwd: 'The absolute path of the session’s working directory, which is the base of relative paths.',
    additionalDirectories:
      'The absolute paths of additional folders. The list replaces an earlier one. Absent or empty: none. Needs the agent capability `sessionCapabilities.additionalDirectories`.',
    sessionId: 'The session to open.',
  },
  LoadSessionResponse: {
    '': 'The agent has replayed the history, and the session is ready for a prompt.',
    modes: 'The modes of the session. Absent or `null`: none.',
    configOptions: 'The configuration options of the session. Absent or `null`: none.',
  },
  NewSessionRequest: {
    '': 'Creates a session.',
    cwd: 'The absolute path of the session’s working directory, which is the base of relative paths.',
    additionalDirectories:
      'The absolute paths of additional folders. The list replaces an earlier one. Absent or empty: none. Needs the agent capability `sessionCapabilities.additionalDirectories`.',
    mcpServers: 'The MCP servers that the agent connects to.',
  },
  NewSessionResponse: {
    '': 'The session is ready for a prompt.',
    sessionId: 'The id for later requests.',
    modes: 'The modes of the session. Absent or `null`: none.',
    configOptions: 'The configuration options of the session. Absent or `null`: none.',
  },
  ResumeSessionRequest: {
    '': 'Opens an earlier session without replaying its history. Needs the agent capability `sessionCapabilities.resume`.',
    sessionId: 'The session to open.',
    cwd: 'The absolute path of the session’s working directory, which is the base of relative paths.',
    additionalDirectories:
      'The absolute paths of additional folders. The list replaces an earlier one. Absent or empty: none. Needs the agent capability `sessionCapabilities.additionalDirectories`.',
    mcpServers: 'The MCP servers that the agent connects to. Absent: none.',
  },
  ResumeSessionResponse: {
    '': 'The session is ready for a prompt.',
    modes: 'The modes of the session. Absent or `null`: none.',
    configOptions: 'The configuration options of the session. Absent or `null`: none.',
  },
  DeleteSessionRequest: {
    '': 'Deletes a session permanently. Needs the agent capability `sessionCapabilities.delete`.',
    sessionId: 'The session to delete.',
  },
  DeleteSessionResponse: {
    '': 'The session was deleted.',
  },
  ListSessionsRequest: {
    '': 'Lists the sessions that the agent has stored, page by page. Needs the agent capability `sessionCapabilities.list`.',
    cwd: 'The absolute path of a folder: only sessions with this working directory are listed. Absent or `null`: all.',
    cursor: 'The `nextCursor` of the previous page, unchanged. Absent or `null`: the first page.',
  },
  ListSessionsResponse: {
    '': 'A page of sessions.',
    sessions: 'The sessions of this page. The list may be empty.',
    nextCursor: 'The cursor of the next page. Absent or `null`: this is the last page.',
  },
  SessionInfo: {
    '': 'A session in a list.',
    sessionId: 'The id for requests.',
    cwd: 'The absolute path of its working directory.',
    additionalDirectories: 'The absolute paths of its additional folders, in order. Absent or empty: none.',
    title: 'Title for the user. Absent or `null`: none.',
    updatedAt: 'The time of its last activity: ISO 8601. Absent or `null`: unknown.',
  },
  SessionInfoUpdate: {
    '': 'The title or the time of a session has changed.',
    title: 'The new title; `null` clears it. Absent: unchanged.',
    updatedAt: 'The time of its last activity: ISO 8601; `null` clears it. Absent: unchanged.',
  },
  EnvVariable: {
    '': 'An environment variable for a new process.',
    name: 'Its name.',
    value: 'Its value.',
  },
  HttpHeader: {
    '': 'A header for each HTTP request.',
    name: 'Its name; case does not matter.',
    value: 'Its value, which is often a secret.',
  },
  McpServer: {
    '': 'A server of the Model Context Protocol that the agent connects to. Without a `type` it has the type `stdio`.',
    '=http': 'Needs the agent capability `mcpCapabilities.http`.',
    '=sse': 'Needs the agent capability `mcpCapabilities.sse`.',
    '=stdio': 'Every agent supports it.',
  },
  McpServerHttp: {
    '': 'An MCP server over streamable HTTP.',
    name: 'The name of the server, for people.',
    url: 'Its URL.',
    headers: 'Headers for each request.',
  },
  McpServerSse: {
    '': 'An MCP server over HTTP with server-sent events, the older transport.',
    name: 'The name of the server, for people.',
    url: 'Its URL.',
    headers: 'Headers for each request.',
  },
  McpServerStdio: {
    '': 'An MCP server that the agent starts, over stdin and stdout.',
    name: 'The name of the server, for people.',
    command: 'The absolute path of the program.',
    args: 'Its arguments.',
    env: 'Additional environment variables.',
  },
  CurrentModeUpdate: {
    '': 'The mode of the session has changed, by the user or by the agent.',
    currentModeId: 'The current mode.',
  },
  SessionMode: {
    '': 'A way in which the agent works, such as asking first, only planning, or editing without asking.',
    id: 'The id for requests.',
    name: 'Name for the user.',
    description: 'Description for the user. Absent or `null`: none.',
  },
  SessionModeId: {
    '': 'Identifies a mode. The agent chooses it.',
  },
  SessionModeState: {
    '': 'The modes of a session, and the current one.',
    currentModeId: 'The current mode of the session.',
    availableModes: 'The modes that the client can set.',
  },
  SetSessionModeRequest: {
    '': 'Sets the mode of a session.',
    sessionId: 'The session.',
    modeId: 'One of the available modes.',
  },
  SetSessionModeResponse: {
    '': 'The mode was set.',
  },
  ConfigOptionUpdate: {
    '': 'The configuration options of a session have changed.',
    configOptions: 'The whole current list.',
  },
  SessionConfigBoolean: {
    '': 'A boolean option.',
    currentValue: 'Whether it is on.',
  },
  SessionConfigGroupId: {
    '': 'Identifies a group of values. The agent chooses it.',
  },
  SessionConfigId: {
    '': 'Identifies a configuration option of a session. The agent chooses it.',
  },
  SessionConfigOption: {
    '': 'A setting of a session, with its current value.',
    id: 'The id for requests.',
    name: 'Name for the user.',
    description: 'Description for the user. Absent or `null`: none.',
    category: 'The subject of the option. Absent or `null`: not specified.',
    '=select': 'A choice of one of several values.',
    '=boolean': 'A boolean. Only for clients with the capability `session.configOptions.boolean`.',
  },
  SessionConfigOptionCategory: {
    '': 'The subject of an option, for its presentation. It is only a hint: do not rely on it. Names that start with `_` are reserved for extensions.',
    '=mode': 'The session’s mode.',
    '=model': 'The model that answers.',
    '=model_config': 'A setting of the model.',
    '=thought_level': 'How long the model thinks.',
  },
  SessionConfigSelect: {
    '': 'A choice of one of several values.',
    currentValue: 'The current value.',
    options: 'The values to choose from.',
  },
  SessionConfigSelectGroup: {
    '': 'Values under a heading.',
    group: 'The id of the group.',
    name: 'The heading.',
    options: 'The values under it.',
  },
  SessionConfigSelectOption: {
    '': 'A value to choose.',
    value: 'The id for requests.',
    name: 'Name for the user.',
    description: 'Description for the user. Absent or `null`: none.',
  },
  SessionConfigSelectOptions: {
    '': 'The values to choose from: either all of them are in groups, or none.',
    '|Ungrouped': 'A flat list.',
    '|Grouped': 'Under headings.',
  },
  SessionConfigValueId: {
    '': 'Identifies a value of a `select` option. The agent chooses it.',
  },
  SetSessionConfigOptionRequest: {
    '': 'Sets a configuration option of a session.',
    sessionId: 'The session.',
    configId: 'The option.',
    '|boolean': 'Sets a boolean option.',
    '|boolean.type': 'Marks the value as a boolean.',
    '|boolean.value': 'The new value.',
    '|value_id': 'Chooses a value.',
    '|value_id.value': 'One of the option’s values.',
  },
  SetSessionConfigOptionResponse: {
    '': 'The option was set. Other options may have changed as a result.',
    configOptions: 'All current options of the session.',
  },
  PromptRequest: {
    '': 'Sends a message of the user. This starts a turn, which ends with the answer.',
    sessionId: 'The session.',
    prompt: 'The message: text, links, and other blocks that the agent’s `promptCapabilities` allow.',
  },
  PromptResponse: {
    '': 'The turn has ended.',
    stopReason: 'The reason for the end.',
  },
  StopReason: {
    '': 'The reason for the end of a turn.',
    '=end_turn': 'The agent has finished.',
    '=max_tokens': 'The model reached its token limit.',
    '=max_turn_requests': 'The agent reached its limit of requests to the model in one turn.',
    '=refusal': 'The agent refused to continue. This prompt and everything after it are not part of the next prompt’s context.',
    '=cancelled': 'The client cancelled the turn. After `session/cancel` this is the only valid reason.',
  },
};
