import type { Descriptions } from '../schema.ts';

export const connectionDescriptions: Descriptions = {
  RequestId: {
    '': 'Identifies a request, and its answer. Unique among the unanswered requests of one direction; `1` and `"1"` are different ids.',
    '|Null': 'Valid in JSON-RPC, but avoid it: an answer with a `null` id means that the id could not be read.',
    '|Number': 'Usually a counter. Integers above 2^53 lose digits in JavaScript.',
    '|Str': 'Any text, compared exactly.',
  },
  Error: {
    '': 'The answer to a failed request.',
    code: 'The kind of error, for programs.',
    message: 'The error as one short sentence, for people.',
    data: 'Details, in a form that the sender chooses.',
  },
  ErrorCode: {
    '': 'The kind of error. Other 32-bit integers are allowed.',
    '=-32700': 'The received text is not JSON.',
    '=-32600': 'The received JSON is not a JSON-RPC message.',
    '=-32601': 'The receiver does not have this method, or did not advertise its capability.',
    '=-32602': 'The parameters are invalid for the method.',
    '=-32603': 'The handler failed because of an internal error.',
    '=-32800': 'The request was abandoned, because its sender cancelled it or the receiver stopped.',
    '=-32000': 'The user has to log in first.',
    '=-32002': 'The session, file or other resource does not exist.',
  },
  Implementation: {
    '': 'The program at one end of the connection, for logs and for display.',
    name: 'Name for programs. It is shown to people if there is no title.',
    title: 'Name for people. Absent or `null`: use `name`.',
    version: 'Version of the program, such as `1.0.0`. Its format is not specified.',
  },
  InitializeRequest: {
    '': 'The first request of a connection: the client sends its version of the protocol and its capabilities.',
    protocolVersion: 'The newest version that the client supports.',
    clientCapabilities: 'The optional features of the client. Absent: none.',
    clientInfo: 'The client’s name and version. Absent or `null`: unknown. Send it: later versions require it.',
  },
  InitializeResponse: {
    '': 'The agent’s version of the protocol and its capabilities.',
    protocolVersion:
      'The version of this connection: the client’s version if the agent supports it, otherwise the newest version that the agent supports. A client that does not support it closes the connection.',
    agentCapabilities: 'The optional features of the agent. Absent: none.',
    authMethods: 'The ways to log in. Absent or empty: the agent needs and offers no login.',
    agentInfo: 'The agent’s name and version. Absent or `null`: unknown. Send it: later versions require it.',
  },
  ProtocolVersion: {
    '': 'The major version of the protocol. Only breaking changes increase it; everything else is a capability.',
  },
  AuthCapabilities: {
    '': 'The kinds of login that the client supports.',
    terminal: 'Whether the client can start the agent’s program again in an interactive terminal, where the user logs in. Absent: no.',
  },
  BooleanConfigOptionCapabilities: {
    '': 'The client can show boolean options. An empty object is enough.',
  },
  ClientCapabilities: {
    '': 'The optional features of a client. The agent must not use a feature that is absent.',
    fs: 'File methods. Absent: none.',
    terminal: 'Whether all the `terminal/` methods may be called. Absent: no.',
    session: 'Session features. Absent or `null`: none.',
    auth: 'Support for logins. Absent: none.',
    elicitation: 'Questions to the user. Absent or `null`: not supported.',
  },
  ClientSessionCapabilities: {
    '': 'The optional session features of a client.',
    compaction: 'The agent may send `compaction_update` and `compaction_summary_chunk`. Absent or `null`: it must not.',
    configOptions: 'Additional kinds of configuration options. Absent or `null`: none.',
    notices: 'The agent may send `notice` updates. Absent or `null`: it must not.',
  },
  CompactionCapabilities: {
    '': 'The client shows compactions of the context. An empty object is enough.',
  },
  ElicitationCapabilities: {
    '': 'The ways in which the client can ask the user for input.',
    form: 'With a form. Absent or `null`: not supported.',
    url: 'On a web page. Absent or `null`: not supported.',
  },
  ElicitationFormCapabilities: {
    '': 'The client can show a form. An empty object is enough.',
  },
  ElicitationUrlCapabilities: {
    '': 'The client can send the user to a web page. An empty object is enough.',
  },
  FileSystemCapabilities: {
    '': 'The file methods that the client supports.',
    readTextFile: 'Whether `fs/read_text_file` may be called. Absent: no.',
    writeTextFile: 'Whether `fs/write_text_file` may be called. Absent: no.',
  },
  NoticeCapabilities: {
    '': 'The client shows notices. An empty object is enough.',
  },
  SessionConfigOptionsCapabilities: {
    '': 'The kinds of configuration options, in addition to `select`, that the client supports.',
    boolean:
      'The agent may offer options of type `boolean`; the client sets them with a boolean value. Absent or `null`: the agent must not offer them.',
  },
  AgentAuthCapabilities: {
    '': 'The login features of the agent, in addition to `authenticate`.',
    logout: '`logout` may be called. Absent or `null`: it must not.',
  },
  AgentCapabilities: {
    '': 'The optional features of an agent. The client must not use a feature that is absent.',
    loadSession: 'Whether `session/load` may be called. Absent: no.',
    promptCapabilities: 'The kinds of content that prompts may contain. Absent: only text and links.',
    mcpCapabilities: 'The transports to MCP servers. Absent: only stdio.',
    sessionCapabilities: 'Session features. Absent: none.',
    auth: 'Login features. Absent: none.',
  },
  LogoutCapabilities: {
    '': 'The agent can log the user out. An empty object is enough.',
  },
  McpCapabilities: {
    '': 'The transports to MCP servers in addition to stdio, which every agent supports.',
    http: 'Whether the agent supports servers of type `http`. Absent: no.',
    sse: 'Whether the agent supports servers of type `sse`. Absent: no.',
  },
  PromptCapabilities: {
    '': 'The kinds of content that a prompt may contain in addition to text and resource links, which every agent accepts.',
    image: 'Whether the agent accepts `image` blocks. Absent: no.',
    audio: 'Whether the agent accepts `audio` blocks. Absent: no.',
    embeddedContext: 'Whether the agent accepts `resource` blocks, which contain the content of a file. Absent: no.',
  },
  SessionAdditionalDirectoriesCapabilities: {
    '': 'A session may have several folders. An empty object is enough.',
  },
  SessionCapabilities: {
    '': 'The optional session features of an agent, in addition to new, prompt, cancel and updates. `loadSession` is a separate capability.',
    list: '`session/list` may be called. Absent or `null`: it must not.',
    delete: '`session/delete` may be called. Absent or `null`: it must not.',
    additionalDirectories:
      '`additionalDirectories` may be sent when a session is created, loaded or resumed. Absent or `null`: it must not.',
    resume: '`session/resume` may be called. Absent or `null`: it must not.',
    close: '`session/close` may be called. Absent or `null`: it must not.',
  },
  SessionCloseCapabilities: {
    '': 'The agent closes sessions. An empty object is enough.',
  },
  SessionDeleteCapabilities: {
    '': 'The agent deletes sessions. An empty object is enough.',
  },
  SessionListCapabilities: {
    '': 'The agent lists its sessions. An empty object is enough.',
  },
  SessionResumeCapabilities: {
    '': 'The agent resumes sessions without replaying their history. An empty object is enough.',
  },
  AuthMethod: {
    '': 'A way to log in. Without a `type` it has the type `agent`.',
    '=terminal': 'In an interactive terminal.',
    '=agent': 'Through `authenticate`.',
  },
  AuthMethodAgent: {
    '': 'The agent performs the whole login when the client calls `authenticate`.',
    id: 'The id to pass to `authenticate`.',
    name: 'Name for the user.',
    description: 'Description for the user. Absent or `null`: none.',
  },
  AuthMethodId: {
    '': 'Identifies a way to log in. The agent chooses it.',
  },
  AuthMethodTerminal: {
    '': 'The user logs in in an interactive terminal: the client starts the agent’s own program again, with these additional arguments and variables. Exit code 0 means success. Its id must not be passed to `authenticate`. The agent offers it only to clients with the capability `auth.terminal`.',
    id: 'The id to pass to `authenticate`.',
    name: 'Name for the user.',
    description: 'Description for the user. Absent or `null`: none.',
    args: 'Arguments after those of the agent. Absent: none.',
    env: 'Environment variables in addition to those of the agent. They replace variables of the same name. Absent: none.',
  },
  AuthenticateRequest: {
    '': 'Logs the user in.',
    methodId: 'One of the ways that the agent offered in its answer to `initialize`.',
  },
  AuthenticateResponse: {
    '': 'The user is logged in.',
  },
  LogoutRequest: {
    '': 'Logs the user out. Needs the agent capability `auth.logout`.',
  },
  LogoutResponse: {
    '': 'The user is logged out.',
  },
  CancelNotification: {
    '': 'Stops the running turn of a session. The agent ends its work and answers the prompt with the stop reason `cancelled`; the client answers every open permission request with `cancelled`.',
    sessionId: 'The session whose turn the agent stops.',
  },
  CancelRequestNotification: {
    '': 'The sender no longer needs the answer to one of its requests. The receiver still answers it: with a result, or with the error -32800.',
    requestId: 'The id of the request.',
  },
};
