import type { Descriptions } from '../schema.ts';

export const sessionDescriptions: Descriptions = {
  SessionId: {
    '': 'Names a session: one conversation with its own history, context and state. The agent chooses it; to the client it is opaque.',
  },
  CloseSessionRequest: {
    '': 'Ends an open session: the agent cancels what runs in it and frees what it holds. The session is not deleted. Needs the agent capability `sessionCapabilities.close`.',
    sessionId: 'The session to close.',
  },
  CloseSessionResponse: {
    '': 'The session is closed.',
  },
  LoadSessionRequest: {
    '': 'Opens an earlier session and has its history replayed, as updates, before the answer comes. Needs the agent capability `loadSession`.',
    mcpServers: 'MCP servers for the agent to connect to.',
    cwd: 'The folder the session works in: an absolute path, and the base of relative ones.',
    additionalDirectories:
      'Further folders the session may work in: absolute paths. This is the whole list, whatever an earlier one said. Absent or empty: none. Needs the agent capability `sessionCapabilities.additionalDirectories`.',
    sessionId: 'The session to open.',
  },
  LoadSessionResponse: {
    '': 'The history was replayed and the session is ready for a prompt.',
    modes: 'The modes of the session. Absent or `null`: it has none.',
    configOptions: 'The configuration options of the session. Absent or `null`: it has none.',
  },
  NewSessionRequest: {
    '': 'Begins a session.',
    cwd: 'The folder the session works in: an absolute path, and the base of relative ones.',
    additionalDirectories:
      'Further folders the session may work in: absolute paths. This is the whole list, whatever an earlier one said. Absent or empty: none. Needs the agent capability `sessionCapabilities.additionalDirectories`.',
    mcpServers: 'MCP servers for the agent to connect to.',
  },
  NewSessionResponse: {
    '': 'The session is ready for a prompt.',
    sessionId: 'What all later requests about this session carry.',
    modes: 'The modes of the session. Absent or `null`: it has none.',
    configOptions: 'The configuration options of the session. Absent or `null`: it has none.',
  },
  ResumeSessionRequest: {
    '': 'Opens an earlier session without replaying its history. Needs the agent capability `sessionCapabilities.resume`.',
    sessionId: 'The session to open.',
    cwd: 'The folder the session works in: an absolute path, and the base of relative ones.',
    additionalDirectories:
      'Further folders the session may work in: absolute paths. This is the whole list, whatever an earlier one said. Absent or empty: none. Needs the agent capability `sessionCapabilities.additionalDirectories`.',
    mcpServers: 'MCP servers for the agent to connect to. Absent: none.',
  },
  ResumeSessionResponse: {
    '': 'The session is ready for a prompt.',
    modes: 'The modes of the session. Absent or `null`: it has none.',
    configOptions: 'The configuration options of the session. Absent or `null`: it has none.',
  },
  DeleteSessionRequest: {
    '': 'Takes a session out of the list for good. Needs the agent capability `sessionCapabilities.delete`.',
    sessionId: 'The session to delete.',
  },
  DeleteSessionResponse: {
    '': 'The session is gone.',
  },
  ListSessionsRequest: {
    '': 'Asks for the sessions the agent keeps, a page at a time. Needs the agent capability `sessionCapabilities.list`.',
    cwd: 'Only sessions that work in this folder: an absolute path. Absent or `null`: all.',
    cursor: 'The `nextCursor` of the page before, as it was. Absent or `null`: the first page.',
  },
  ListSessionsResponse: {
    '': 'A page of sessions.',
    sessions: 'The sessions of this page; it may be empty.',
    nextCursor: 'What to ask for the next page with. Absent or `null`: this was the last.',
  },
  SessionInfo: {
    '': 'A session in a list.',
    sessionId: 'What requests refer to.',
    cwd: 'The folder it works in: an absolute path.',
    additionalDirectories: 'The further folders it works in: absolute paths, in order. Absent or empty: none.',
    title: 'What the user reads. Absent or `null`: it has no title.',
    updatedAt: 'When something last happened in it: ISO 8601. Absent or `null`: not known.',
  },
  SessionInfoUpdate: {
    '': 'What the list says about a session has changed.',
    title: 'The new title; `null` takes it away. Absent: as before.',
    updatedAt: 'When something last happened in it: ISO 8601; `null` takes it away. Absent: as before.',
  },
  EnvVariable: {
    '': 'An environment variable for a program that is started.',
    name: 'Its name.',
    value: 'Its value.',
  },
  HttpHeader: {
    '': 'A header to send with each HTTP request.',
    name: 'Its name, of any case.',
    value: 'Its value; often a secret.',
  },
  McpServer: {
    '': 'A server of the Model Context Protocol for the agent to connect to. Without a `type` it is of type `stdio`.',
    '=http': 'Needs the agent capability `mcpCapabilities.http`.',
    '=sse': 'Needs the agent capability `mcpCapabilities.sse`.',
    '=stdio': 'Every agent knows this one.',
  },
  McpServerHttp: {
    '': 'An MCP server reached over streamable HTTP.',
    name: 'What people call the server.',
    url: 'Where it listens.',
    headers: 'What to send along with each request.',
  },
  McpServerSse: {
    '': 'An MCP server reached over HTTP with server-sent events, the older way.',
    name: 'What people call the server.',
    url: 'Where it listens.',
    headers: 'What to send along with each request.',
  },
  McpServerStdio: {
    '': 'An MCP server the agent starts and talks to over standard input and output.',
    name: 'What people call the server.',
    command: 'The program to start: an absolute path.',
    args: 'Its arguments.',
    env: 'Environment variables to set for it.',
  },
  CurrentModeUpdate: {
    '': 'The session has changed its mode, at the user’s wish or the agent’s.',
    currentModeId: 'The mode it is in now.',
  },
  SessionMode: {
    '': 'A way the agent can work in: asking first, planning only, editing freely.',
    id: 'What requests refer to.',
    name: 'What the user reads.',
    description: 'More about it, for the user. Absent or `null`: nothing more.',
  },
  SessionModeId: {
    '': 'Names a mode. The agent chooses it.',
  },
  SessionModeState: {
    '': 'The modes of a session and the one it is in.',
    currentModeId: 'The mode the session is in.',
    availableModes: 'The modes it can be put in.',
  },
  SetSessionModeRequest: {
    '': 'Puts a session into another mode.',
    sessionId: 'The session.',
    modeId: 'One of its available modes.',
  },
  SetSessionModeResponse: {
    '': 'The session is in the mode asked for.',
  },
  ConfigOptionUpdate: {
    '': 'The configuration options of a session have changed.',
    configOptions: 'All of them as they are now.',
  },
  SessionConfigBoolean: {
    '': 'On or off.',
    currentValue: 'Whether it is on.',
  },
  SessionConfigGroupId: {
    '': 'Names a group of values. The agent chooses it.',
  },
  SessionConfigId: {
    '': 'Names a configuration option of a session. The agent chooses it.',
  },
  SessionConfigOption: {
    '': 'Something about a session the user can set, and how it is set now.',
    id: 'What requests refer to.',
    name: 'What the user reads.',
    description: 'More about it, for the user. Absent or `null`: nothing more.',
    category: 'What it is about. Absent or `null`: nothing in particular.',
    '=select': 'One value out of several.',
    '=boolean': 'On or off. Only for clients with the capability `session.configOptions.boolean`.',
  },
  SessionConfigOptionCategory: {
    '': 'What an option is about, so that a client can give it a fitting place. Only a hint: never rely on it. Names that start with `_` are free for anyone’s use.',
    '=mode': 'The session’s mode.',
    '=model': 'The model that answers.',
    '=model_config': 'A setting of the model.',
    '=thought_level': 'How long the model thinks.',
  },
  SessionConfigSelect: {
    '': 'One value out of several.',
    currentValue: 'The value in force.',
    options: 'The values there are.',
  },
  SessionConfigSelectGroup: {
    '': 'Some values under a heading.',
    group: 'Tells the groups apart.',
    name: 'The heading.',
    options: 'The values under it.',
  },
  SessionConfigSelectOption: {
    '': 'A value to choose.',
    value: 'What requests refer to.',
    name: 'What the user reads.',
    description: 'More about it, for the user. Absent or `null`: nothing more.',
  },
  SessionConfigSelectOptions: {
    '': 'The values to choose from, all grouped or all not.',
    '|Ungrouped': 'One flat list.',
    '|Grouped': 'Under headings.',
  },
  SessionConfigValueId: {
    '': 'Names one of the values of a `select` option. The agent chooses it.',
  },
  SetSessionConfigOptionRequest: {
    '': 'Sets a configuration option of a session.',
    sessionId: 'The session.',
    configId: 'The option.',
    '|boolean': 'Turns an option on or off.',
    '|boolean.type': 'Says that the value is a boolean.',
    '|boolean.value': 'Whether it is to be on.',
    '|value_id': 'Chooses a value.',
    '|value_id.value': 'One of the option’s values.',
  },
  SetSessionConfigOptionResponse: {
    '': 'The option is set; others may have changed with it.',
    configOptions: 'All the options of the session as they are now.',
  },
  PromptRequest: {
    '': 'What the user says. Begins a turn, which lasts until the answer.',
    sessionId: 'The session.',
    prompt: 'The message. Text and links always; other blocks as far as the agent’s `promptCapabilities` allow.',
  },
  PromptResponse: {
    '': 'The turn is over.',
    stopReason: 'Why it ended.',
  },
  StopReason: {
    '': 'Why a turn ended.',
    '=end_turn': 'The agent is done.',
    '=max_tokens': 'The model reached its limit of tokens.',
    '=max_turn_requests': 'The agent reached its limit of requests to the model in one turn.',
    '=refusal': 'The agent declined to go on. This prompt and what followed it will not be part of the next one.',
    '=cancelled': 'The client cancelled it. The only right reason after `session/cancel`.',
  },
};
