import type { Descriptions } from '../schema.ts';
import { v2UpdateDescriptions } from './v2-update.ts';

/** Sentences about version 2. A definition or field without one here has the sentence of version 1. */
export const v2Descriptions: Descriptions = {
  Error: {
    data: 'Details. Some codes define its form; otherwise it has any form the sender likes.',
  },
  ErrorCode: {
    '=-32022': 'All versions of the agent are newer than the requested one. `data` lists them.',
  },
  ErrorData: {
    '': 'Details of an error. The format depends on its code.',
    '|Other': 'Any other form.',
  },
  UnsupportedProtocolVersionErrorData: {
    '': 'Details of the error -32022.',
    requested: 'The version that the client requested.',
    supported: 'The versions that the agent supports.',
  },
  SessionNotFoundErrorData: {
    '': 'Details of the error -32002 if a session was not found.',
    sessionId: 'The session that does not exist.',
  },
  InitializeRequest: {
    protocolVersion: 'The newest version that the client supports.',
    info: 'Which client this is.',
    capabilities: 'The optional features of the client. Absent: none.',
  },
  InitializeResponse: {
    protocolVersion: 'The version of this connection: the highest version of the agent that is not above the requested one.',
    info: 'Which agent this is.',
    capabilities: 'What the client may ask of the agent. Absent: nothing.',
    authMethods: 'The ways to log in. Absent or empty: none, and the client must not call `auth/login` or `auth/logout`.',
  },
  ClientCapabilities: {
    auth: 'Support for logins. Absent or `null`: none.',
  },
  ClientAuthCapabilities: {
    '': 'The kinds of login that the client supports.',
    terminal:
      'The client can start the agent’s program in an interactive terminal, where the user logs in. Absent or `null`: not supported.',
  },
  TerminalAuthCapabilities: {
    '': 'The client supports logins in a terminal. An empty object is enough.',
  },
  AgentCapabilities: {
    session: 'Sessions: new, list, resume, close, prompt, cancel and updates. Absent or `null`: the agent has no sessions.',
    auth: 'Login features. Absent or `null`: none. `authMethods` lists the ways to log in.',
  },
  AgentAuthCapabilities: {
    '': 'The login features of the agent, in addition to `auth/login` and `auth/logout`.',
  },
  SessionCapabilities: {
    '': 'The session features of the agent. An empty object means new, list, resume, close, prompt, cancel and updates.',
    prompt: 'The kinds of content that prompts may contain. Absent or `null`: only text and links.',
    mcp: 'The transports to MCP servers. Absent or `null`: none.',
    additionalDirectories: '`additionalDirectories` may be sent when a session is created or resumed. Absent or `null`: it must not.',
  },
  PromptCapabilities: {
    image: 'Prompts may contain `image` blocks. Absent or `null`: they must not.',
    audio: 'Prompts may contain `audio` blocks. Absent or `null`: they must not.',
    embeddedContext: 'Prompts may contain `resource` blocks, which contain the content of a file. Absent or `null`: they must not.',
  },
  PromptImageCapabilities: {
    '': 'The agent accepts images. An empty object is enough.',
  },
  PromptAudioCapabilities: {
    '': 'The agent accepts audio. An empty object is enough.',
  },
  PromptEmbeddedContextCapabilities: {
    '': 'The agent accepts resources with their content. An empty object is enough.',
  },
  McpCapabilities: {
    '': 'The transports to MCP servers. The agent advertises stdio, too.',
    stdio: 'The agent supports servers of type `stdio`. Absent or `null`: no.',
    http: 'The agent supports servers of type `http`. Absent or `null`: no.',
  },
  McpStdioCapabilities: {
    '': 'The agent starts MCP servers. An empty object is enough.',
  },
  McpHttpCapabilities: {
    '': 'The agent connects to MCP servers over streamable HTTP. An empty object is enough.',
  },
  AuthMethod: {
    '': 'A way of logging in.',
    '=agent': 'Through `auth/login`.',
    '|other.methodId': 'The id to pass to `auth/login`.',
    '|other.name': 'Name for the user.',
  },
  AuthMethodAgent: {
    '': 'The agent performs the whole login when the client calls `auth/login`.',
    methodId: 'The id to pass to `auth/login`.',
  },
  AuthMethodTerminal: {
    '': 'The user logs in at an interactive terminal: the client starts the agent’s own program once more, with these arguments and variables added. Exit status 0 means success. Its id must not be sent with `auth/login`; only offered to clients with the capability `auth.terminal`.',
    methodId: 'The id of this login. The client must not pass it to `auth/login`.',
  },
  LoginAuthRequest: {
    '': 'Logs the user in, in a way that the agent listed in `authMethods`.',
    methodId: 'One of the ways that the agent offered in its answer to `initialize`.',
  },
  LoginAuthResponse: {
    '': 'The user is logged in.',
  },
  LogoutAuthRequest: {
    '': 'Logs the user out. Needs an agent that listed ways to log in.',
  },
  LogoutAuthResponse: {
    '': 'The user is logged out.',
  },
  AbsolutePath: {
    '': 'A path from the root of the agent’s file system, in the syntax of its machine: `/home`, `C:\\home` or `\\\\server\\home`. Not a URI.',
  },
  MediaType: {
    '': 'The kind of some content, `image/png` for example.',
  },
  CloseSessionRequest: {
    '': 'Closes a session: the agent cancels its work, including background work, and frees its resources, but does not delete it.',
  },
  CancelSessionNotification: {
    '': 'Stops the foreground work of a session, and removes the prompts that are not yet part of the conversation. Background work continues.',
    sessionId: 'The session whose work the agent stops.',
  },
  NewSessionRequest: {
    additionalDirectories:
      'The absolute paths of additional folders. Absent or empty: none. Needs the agent capability `session.additionalDirectories`.',
    mcpServers: 'The MCP servers that the agent connects to. Absent: none.',
  },
  NewSessionResponse: {
    configOptions: 'The configuration options of the session. Absent: none.',
    availableCommands: 'The slash commands of the session. Absent: none yet.',
  },
  ResumeSessionRequest: {
    '': 'Opens an earlier session. The agent replays its history only if `replayFrom` is present.',
    additionalDirectories:
      'The absolute paths of additional folders. The list replaces an earlier one. Absent or empty: none. Needs the agent capability `session.additionalDirectories`.',
    mcpServers: 'The MCP servers that the agent connects to. The list replaces an earlier one. Absent: none.',
    replayFrom: 'The start of the replay. Absent or `null`: no replay.',
  },
  ResumeSessionResponse: {
    '': 'The session accepts prompts. If the client asked for a replay, it has ended. The session may be busy: an update contains its state.',
    configOptions: 'The configuration options of the session. Absent: none.',
    availableCommands: 'The slash commands of the session. Absent: none yet.',
  },
  ReplayFrom: {
    '': 'The start of a replay.',
    '=start': 'At the beginning of the stored history.',
  },
  ReplayFromStart: {
    '': 'The agent replays the whole stored history.',
  },
  DeleteSessionRequest: {
    '': 'Deletes a session. Needs the agent capability `session.delete`.',
  },
  ListSessionsRequest: {
    '': 'Lists the sessions that the agent has stored, page by page.',
  },
  SessionListCursor: {
    '': 'Identifies a page of a list of sessions. The agent chooses it.',
  },
  McpServer: {
    '': 'A server of the Model Context Protocol that the agent connects to.',
    '=http': 'Needs the agent capability `session.mcp.http`.',
    '=stdio': 'Needs the agent capability `session.mcp.stdio`.',
  },
  McpServerHttp: {
    headers: 'Headers for each request. Absent: none.',
  },
  McpServerStdio: {
    args: 'Its arguments. Absent: none.',
    env: 'Additional environment variables. Absent: none.',
  },
  SessionConfigOption: {
    configId: 'The id for requests.',
    '=boolean': 'A boolean option.',
  },
  SessionConfigSelectGroup: {
    groupId: 'The id of the group.',
  },
  SetSessionConfigOptionRequest: {
    '=id': 'Chooses a value.',
    '=boolean': 'Sets a boolean option.',
    '|id.value': 'One of the option’s values.',
    '|boolean.value': 'Whether the option is on.',
    '|other.value': 'The value, of the type of the option.',
  },
  PromptRequest: {
    '': 'A message of the user. The answer only says that it is part of the conversation; the state of the session says when the work ends.',
    prompt: 'The message: at least one block. Text and links always; other blocks as far as the agent’s `session.prompt` allows.',
    idempotencyKey:
      'The same for each attempt to send this prompt, so that the agent inserts it once. Absent or `null`: each attempt is a new prompt.',
  },
  IdempotencyKey: {
    '': 'Identifies a prompt across several attempts to send it. The client chooses it, and does not use it for another prompt.',
  },
  PromptResponse: {
    '': 'The message is part of the conversation. The work that it starts is reported in updates.',
    messageId: 'The id of the message, which the agent also sends as an update.',
  },
  CancelToolCallRequest: {
    '': 'Stops a tool call whose `capabilities` allow it. The call has ended when an update says so.',
    sessionId: 'The session.',
    toolCallId: 'The tool call.',
  },
  CancelToolCallResponse: {
    '': 'The agent is stopping the tool call.',
  },
  CancelTerminalRequest: {
    '': 'Stops the command of a terminal whose `capabilities` allow it. The command has ended when an update has its exit status.',
    sessionId: 'The session.',
    terminalId: 'The terminal.',
  },
  CancelTerminalResponse: {
    '': 'The agent is stopping the command.',
  },
  RequestPermissionRequest: {
    '': 'Asks the user for permission.',
    title: 'The question, for the user.',
    description: 'Description for the user. Absent or `null`: none.',
    subject: 'The subject of the question. Absent or `null`: only the title describes it.',
  },
  RequestPermissionSubject: {
    '': 'The subject of a permission. A client that does not know its `type` shows only the title, or declines.',
    '=tool_call': 'A tool call.',
    '=command': 'A command that the agent runs.',
  },
  ToolCallPermissionSubject: {
    '': 'A permission for a tool call.',
    toolCall: 'The tool call. It is applied like an update before the user is asked.',
  },
  CommandPermissionSubject: {
    '': 'A permission for a command. If the user allows it, the agent runs it.',
    command: 'The command.',
    cwd: 'The absolute path of its working directory.',
    toolCallId: 'The tool call that it belongs to. Absent or `null`: none.',
    terminalId: 'The terminal of its output. Absent or `null`: unknown.',
  },
  RequestPermissionOutcome: {
    '': 'The outcome of a permission request. An agent treats an outcome that it does not know as a refusal.',
    '=cancelled': 'The work that asked was cancelled before the user answered.',
  },
  CancelledPermissionOutcome: {
    '': 'The work that asked was cancelled before the user answered.',
  },
  ElicitationContentValue: {
    '|Other': 'A value that this version does not define.',
  },
  ElicitationRequestScope: {
    '': 'The question belongs to a request of the client, such as `auth/login`, and to no session.',
  },
  ElicitationSchema: {
    type: 'Always `object`.',
    properties: 'The fields by name.',
  },
  TerminalId: {
    '': 'Names a terminal of the agent. Unique in its session; the agent chooses it.',
  },
  ...v2UpdateDescriptions,
};
