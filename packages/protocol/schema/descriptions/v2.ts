import type { Descriptions } from '../schema.ts';
import { v2UpdateDescriptions } from './v2-update.ts';

/** Sentences about version 2. A definition or field without one here has the sentence of version 1. */
export const v2Descriptions: Descriptions = {
  Error: {
    data: 'Details. Some codes define its form; otherwise it has any form the sender likes.',
  },
  ErrorCode: {
    '=-32022': 'The agent has no version that is as old as the requested one. `data` lists the versions it has.',
  },
  ErrorData: {
    '': 'Details of an error: the form depends on its code.',
    '|Other': 'Any other form.',
  },
  UnsupportedProtocolVersionErrorData: {
    '': 'Details of the error -32022.',
    requested: 'The version the client asked for.',
    supported: 'The versions the agent speaks.',
  },
  SessionNotFoundErrorData: {
    '': 'Details of the error -32002 if a session was not found.',
    sessionId: 'The session that does not exist.',
  },
  InitializeRequest: {
    protocolVersion: 'The newest version the client speaks.',
    info: 'Which client this is.',
    capabilities: 'What the agent may ask of the client. Absent: nothing.',
  },
  InitializeResponse: {
    protocolVersion: 'The version to speak: the highest the agent has that is not above the requested one.',
    info: 'Which agent this is.',
    capabilities: 'What the client may ask of the agent. Absent: nothing.',
    authMethods: 'The ways to log in. Absent or empty: the agent has none, and `auth/login` and `auth/logout` must not be called.',
  },
  ClientCapabilities: {
    auth: 'Help with logging in. Absent or `null`: none.',
  },
  ClientAuthCapabilities: {
    '': 'Which ways of logging in need the client’s help and get it.',
    terminal:
      'The client can start the agent’s program in an interactive terminal, so that the user logs in there. Absent or `null`: it cannot.',
  },
  TerminalAuthCapabilities: {
    '': 'The client offers logging in at a terminal. An empty object says it all.',
  },
  AgentCapabilities: {
    session: 'Sessions: new, list, resume, close, prompt, cancel and updates. Absent or `null`: the agent has none of them.',
    auth: 'Login features. Absent or `null`: none. Whether the user can log in is said by `authMethods`.',
  },
  AgentAuthCapabilities: {
    '': 'What the agent can do about logging in, besides `auth/login` and `auth/logout`.',
  },
  SessionCapabilities: {
    '': 'What the agent can do with sessions. An empty object stands for new, list, resume, close, prompt, cancel and updates.',
    prompt: 'What prompts may hold. Absent or `null`: text and links only.',
    mcp: 'How MCP servers are reached. Absent or `null`: not at all.',
    additionalDirectories: '`additionalDirectories` may be sent when a session is made or resumed. Absent or `null`: it must not.',
  },
  PromptCapabilities: {
    image: 'Prompts may hold `image` blocks. Absent or `null`: they must not.',
    audio: 'Prompts may hold `audio` blocks. Absent or `null`: they must not.',
    embeddedContext: 'Prompts may hold `resource` blocks, which carry a file’s content with them. Absent or `null`: they must not.',
  },
  PromptImageCapabilities: {
    '': 'The agent understands images. An empty object says it all.',
  },
  PromptAudioCapabilities: {
    '': 'The agent understands sound. An empty object says it all.',
  },
  PromptEmbeddedContextCapabilities: {
    '': 'The agent understands resources that come with their content. An empty object says it all.',
  },
  McpCapabilities: {
    '': 'How the agent reaches MCP servers. Standard input and output have to be advertised too.',
    stdio: 'Servers of type `stdio` work. Absent or `null`: they do not.',
    http: 'Servers of type `http` work. Absent or `null`: they do not.',
  },
  McpStdioCapabilities: {
    '': 'The agent starts MCP servers. An empty object says it all.',
  },
  McpHttpCapabilities: {
    '': 'The agent reaches MCP servers over streamable HTTP. An empty object says it all.',
  },
  AuthMethod: {
    '': 'A way of logging in.',
    '=agent': 'Through `auth/login`.',
    '|other.methodId': 'What `auth/login` refers to.',
    '|other.name': 'What the user reads.',
  },
  AuthMethodAgent: {
    '': 'The agent does it all itself when `auth/login` is called.',
    methodId: 'What `auth/login` refers to.',
  },
  AuthMethodTerminal: {
    '': 'The user logs in at an interactive terminal: the client starts the agent’s own program once more, with these arguments and variables added. Exit status 0 means success. Its id must not be sent with `auth/login`; only offered to clients with the capability `auth.terminal`.',
    methodId: 'The id of this way. It must not be sent with `auth/login`.',
  },
  LoginAuthRequest: {
    '': 'Logs the user in. Needs a way that the agent listed in `authMethods`.',
    methodId: 'One of the ways the agent offered in its answer to `initialize`.',
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
    '': 'Ends an open session: the agent cancels what runs in it, its background work included, and frees what it holds. The session is not deleted.',
  },
  CancelSessionNotification: {
    '': 'Stops the foreground work of a session, and withdraws the prompts that are not yet part of the conversation. Background work continues.',
    sessionId: 'The session whose work the agent stops.',
  },
  NewSessionRequest: {
    additionalDirectories:
      'Further folders the session may work in: absolute paths. This is the whole list. Absent or empty: none. Needs the agent capability `session.additionalDirectories`.',
    mcpServers: 'MCP servers for the agent to connect to. Absent: none.',
  },
  NewSessionResponse: {
    configOptions: 'The configuration options of the session. Absent: it has none.',
    availableCommands: 'The slash commands of the session. Absent: it has none yet.',
  },
  ResumeSessionRequest: {
    '': 'Opens an earlier session. Its history is replayed only if `replayFrom` says so.',
    additionalDirectories:
      'Further folders the session may work in: absolute paths. This is the whole list, whatever an earlier one said. Absent or empty: none. Needs the agent capability `session.additionalDirectories`.',
    mcpServers: 'MCP servers for the agent to connect to: the whole list, whatever an earlier one said. Absent: none.',
    replayFrom: 'Where the replay of the history begins. Absent or `null`: the history is not replayed.',
  },
  ResumeSessionResponse: {
    '': 'The history was replayed, if the client asked for it, and the session takes prompts. It may be busy: its state is in an update.',
    configOptions: 'The configuration options of the session. Absent: it has none.',
    availableCommands: 'The slash commands of the session. Absent: it has none yet.',
  },
  ReplayFrom: {
    '': 'Where the replay of a session’s history begins.',
    '=start': 'At the beginning of what the agent kept.',
  },
  ReplayFromStart: {
    '': 'The agent replays all it kept.',
  },
  DeleteSessionRequest: {
    '': 'Deletes a session. Needs the agent capability `session.delete`.',
  },
  ListSessionsRequest: {
    '': 'Asks for the sessions the agent keeps, a page at a time.',
  },
  SessionListCursor: {
    '': 'Names a page of a list of sessions. The agent chooses it.',
  },
  McpServer: {
    '': 'A server of the Model Context Protocol for the agent to connect to.',
    '=http': 'Needs the agent capability `session.mcp.http`.',
    '=stdio': 'Needs the agent capability `session.mcp.stdio`.',
  },
  McpServerHttp: {
    headers: 'Headers to send with each request. Absent: none.',
  },
  McpServerStdio: {
    args: 'Its arguments. Absent: none.',
    env: 'Environment variables to set for it. Absent: none.',
  },
  SessionConfigOption: {
    configId: 'What requests refer to.',
    '=boolean': 'On or off.',
  },
  SessionConfigSelectGroup: {
    groupId: 'Tells the groups apart.',
  },
  SetSessionConfigOptionRequest: {
    '=id': 'Chooses a value.',
    '=boolean': 'Turns an option on or off.',
    '|id.value': 'One of the option’s values.',
    '|boolean.value': 'Whether the option is on.',
    '|other.value': 'The value, in the form of its type.',
  },
  PromptRequest: {
    '': 'A message of the user. The answer only says that it is part of the conversation; the state of the session says when the work ends.',
    prompt: 'The message: at least one block. Text and links always; other blocks as far as the agent’s `session.prompt` allows.',
    idempotencyKey:
      'The same for every attempt to send this prompt, so that the agent inserts it once. Absent or `null`: an attempt is a new prompt.',
  },
  IdempotencyKey: {
    '': 'Names a prompt across attempts to send it. The client chooses it, and does not use it for another prompt.',
  },
  PromptResponse: {
    '': 'The message is part of the conversation. What it causes follows as updates.',
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
    description: 'More about it, for the user. Absent or `null`: nothing more.',
    subject: 'What the question is about. Absent or `null`: only the title says it.',
  },
  RequestPermissionSubject: {
    '': 'What a permission is for. A client that does not know its `type` shows the title alone, or declines.',
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
    cwd: 'The folder the agent runs it in: an absolute path.',
    toolCallId: 'The tool call it belongs to. Absent or `null`: none.',
    terminalId: 'The terminal its output will be in. Absent or `null`: not known.',
  },
  RequestPermissionOutcome: {
    '': 'How a permission request ended. An outcome that the agent does not know is not a permission.',
    '=cancelled': 'The work that asked was cancelled before the user answered.',
  },
  CancelledPermissionOutcome: {
    '': 'The work that asked was cancelled before the user answered.',
  },
  ElicitationContentValue: {
    '|Other': 'A value of a kind that is newer than this version.',
  },
  ElicitationRequestScope: {
    '': 'The question belongs to a request of the client, such as `auth/login`, outside any session.',
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
