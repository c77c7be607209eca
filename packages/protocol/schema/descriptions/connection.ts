import type { Descriptions } from '../schema.ts';

export const connectionDescriptions: Descriptions = {
  RequestId: {
    '': 'Ties an answer to its request. Unique among the unanswered requests of one direction; `1` and `"1"` are different ids.',
    '|Null': 'Legal in JSON-RPC, but best avoided: an answer with a `null` id means that the id could not be read.',
    '|Number': 'A counter, usually. Integers above 2^53 lose digits in JavaScript.',
    '|Str': 'Any text, compared exactly.',
  },
  Error: {
    '': 'The answer to a request that failed.',
    code: 'What went wrong, for programs.',
    message: 'What went wrong, for people: one short sentence.',
    data: 'Details, in any form the sender likes.',
  },
  ErrorCode: {
    '': 'What went wrong, as a number. Any other 32-bit integer may be met as well.',
    '=-32700': 'The text received is not JSON.',
    '=-32600': 'The JSON received is not a JSON-RPC message.',
    '=-32601': 'No such method here, or its capability was not advertised.',
    '=-32602': 'The parameters do not fit the method.',
    '=-32603': 'The handler failed for reasons of its own.',
    '=-32800': 'The request was given up, because its sender cancelled it or the receiver had to stop.',
    '=-32000': 'The user has to log in before this can be done.',
    '=-32002': 'There is no such session, file or other resource.',
  },
  Implementation: {
    '': 'Which program speaks, for logs and for display.',
    name: 'Name for programs; shown to people when there is no title.',
    title: 'Name for people. Absent or `null`: use `name`.',
    version: 'Version of the program, `1.0.0` say. Of no set form.',
  },
  InitializeRequest: {
    '': 'The first request of a connection: the client says which version it speaks and what it offers the agent.',
    protocolVersion: 'The newest version the client speaks.',
    clientCapabilities: 'What the agent may ask of the client. Absent: nothing.',
    clientInfo: 'Which client this is. Absent or `null`: it does not say; send it, later versions will require it.',
  },
  InitializeResponse: {
    '': 'The agent’s side of the handshake.',
    protocolVersion:
      'The version to speak: the client’s if the agent knows it, else the newest the agent knows. A client that does not know it hangs up.',
    agentCapabilities: 'What the client may ask of the agent beyond the basics. Absent: nothing.',
    authMethods: 'The ways to log in. Absent or empty: none is needed or offered.',
    agentInfo: 'Which agent this is. Absent or `null`: it does not say; send it, later versions will require it.',
  },
  ProtocolVersion: {
    '': 'The major version of the protocol. It rises only for breaking changes; everything else is a capability.',
  },
  AuthCapabilities: {
    '': 'Which ways of logging in need the client’s help and get it.',
    terminal:
      'Whether the client can start the agent’s program again in an interactive terminal, so that the user logs in there. Absent: no.',
  },
  BooleanConfigOptionCapabilities: {
    '': 'The client can show on/off options. An empty object says it all.',
  },
  ClientCapabilities: {
    '': 'What a client offers an agent. Whatever is absent must not be called.',
    fs: 'File requests. Absent: none.',
    terminal: 'Whether all the `terminal/` methods may be called. Absent: no.',
    session: 'Session features. Absent or `null`: none.',
    auth: 'Help with logging in. Absent: none.',
    elicitation: 'Asking the user for input. Absent or `null`: not possible.',
    plan: 'The agent may send `plan_update` and `plan_removed`. Absent or `null`: it must not.',
    subagents:
      'The agent may send `subagent_update`, `session_message` and updates of sessions that a session has started. Absent or `null`: it must not.',
  },
  PlanCapabilities: {
    '': 'The client shows several plans, each with an id. An empty object says it all.',
  },
  SubagentCapabilities: {
    '': 'The client shows sessions that a session has started. An empty object says it all.',
  },
  ClientSessionCapabilities: {
    '': 'What the client can do with a session beyond the basics.',
    compaction: 'The agent may send `compaction_update` and `compaction_summary_chunk`. Absent or `null`: it must not.',
    configOptions: 'Further kinds of configuration options. Absent or `null`: none.',
    notices: 'The agent may send `notice` updates. Absent or `null`: it must not.',
  },
  CompactionCapabilities: {
    '': 'The client follows context compactions. An empty object says it all.',
  },
  ElicitationCapabilities: {
    '': 'How the client can ask the user for input.',
    form: 'With a form. Absent or `null`: it cannot.',
    url: 'On a web page. Absent or `null`: it cannot.',
  },
  ElicitationFormCapabilities: {
    '': 'The client can show a form. An empty object says it all.',
  },
  ElicitationUrlCapabilities: {
    '': 'The client can send the user to a web page. An empty object says it all.',
  },
  FileSystemCapabilities: {
    '': 'Which file requests the client answers.',
    readTextFile: 'Whether `fs/read_text_file` may be called. Absent: no.',
    writeTextFile: 'Whether `fs/write_text_file` may be called. Absent: no.',
  },
  NoticeCapabilities: {
    '': 'The client shows notices. An empty object says it all.',
  },
  SessionConfigOptionsCapabilities: {
    '': 'Which kinds of configuration options the client knows besides `select`.',
    boolean: 'Options of type `boolean` may be offered, and are set with a boolean value. Absent or `null`: offer none.',
  },
  AgentAuthCapabilities: {
    '': 'What the agent can do about logging in, besides `authenticate`.',
    logout: '`logout` may be called. Absent or `null`: it must not.',
  },
  AgentCapabilities: {
    '': 'What an agent offers a client. Whatever is absent must not be called or sent.',
    loadSession: 'Whether `session/load` may be called. Absent: no.',
    promptCapabilities: 'What prompts may hold. Absent: text and links only.',
    mcpCapabilities: 'How MCP servers are reached. Absent: over standard input and output only.',
    sessionCapabilities: 'Session features. Absent: none.',
    auth: 'Login features. Absent: none.',
  },
  LogoutCapabilities: {
    '': 'The agent can log the user out. An empty object says it all.',
  },
  McpCapabilities: {
    '': 'How the agent reaches MCP servers besides standard input and output, which every agent knows.',
    http: 'Whether servers of type `http` work. Absent: no.',
    sse: 'Whether servers of type `sse` work. Absent: no.',
  },
  PromptCapabilities: {
    '': 'What a prompt may hold besides text and links to resources, which every agent takes.',
    image: 'Whether `image` blocks are understood. Absent: no.',
    audio: 'Whether `audio` blocks are understood. Absent: no.',
    embeddedContext: 'Whether `resource` blocks, which carry a file’s content with them, are understood. Absent: no.',
  },
  SessionAdditionalDirectoriesCapabilities: {
    '': 'Sessions may span several folders. An empty object says it all.',
  },
  SessionCapabilities: {
    '': 'What the agent can do with sessions besides the basics: new, prompt, cancel and updates. Loading is announced apart, by `loadSession`.',
    list: '`session/list` may be called. Absent or `null`: it must not.',
    delete: '`session/delete` may be called. Absent or `null`: it must not.',
    additionalDirectories: '`additionalDirectories` may be sent when a session is made, loaded or resumed. Absent or `null`: it must not.',
    resume: '`session/resume` may be called. Absent or `null`: it must not.',
    close: '`session/close` may be called. Absent or `null`: it must not.',
  },
  SessionCloseCapabilities: {
    '': 'The agent closes sessions. An empty object says it all.',
  },
  SessionDeleteCapabilities: {
    '': 'The agent deletes sessions. An empty object says it all.',
  },
  SessionListCapabilities: {
    '': 'The agent lists its sessions. An empty object says it all.',
  },
  SessionResumeCapabilities: {
    '': 'The agent resumes sessions without replaying their history. An empty object says it all.',
  },
  AuthMethod: {
    '': 'A way of logging in. Without a `type` it is of type `agent`.',
    '=terminal': 'At an interactive terminal.',
    '=agent': 'Through `authenticate`.',
  },
  AuthMethodAgent: {
    '': 'The agent does it all itself when `authenticate` is called.',
    id: 'What `authenticate` refers to.',
    name: 'What the user reads.',
    description: 'More about it, for the user. Absent or `null`: nothing more.',
  },
  AuthMethodId: {
    '': 'Names a way of logging in. The agent chooses it.',
  },
  AuthMethodTerminal: {
    '': 'The user logs in at an interactive terminal: the client starts the agent’s own program once more, with these arguments and variables added. Exit status 0 means success. Never passed to `authenticate`; only offered to clients with the `auth.terminal` capability.',
    id: 'What `authenticate` refers to.',
    name: 'What the user reads.',
    description: 'More about it, for the user. Absent or `null`: nothing more.',
    args: 'Arguments to put after the agent’s usual ones. Absent: none.',
    env: 'Environment variables to set on top of the agent’s usual ones; the same name wins. Absent: none.',
  },
  AuthenticateRequest: {
    '': 'Logs the user in.',
    methodId: 'One of the ways the agent offered in its answer to `initialize`.',
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
    sessionId: 'The session whose turn is to stop.',
  },
  CancelRequestNotification: {
    '': 'Tells the receiver that the answer to one of the sender’s requests is no longer wanted. It is still answered: with what there is, or with the error -32800.',
    requestId: 'The id the sender gave the request.',
  },
};
