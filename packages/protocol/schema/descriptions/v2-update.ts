import type { Descriptions } from '../schema.ts';

const patched = {
  _meta:
    'Extra data for those who know its keys. Absent: as before; `null` clears it. An object changes only the keys it has, and a key that is `null` is removed.',
};

const chunkMeta = {
  _meta: 'Extra data for this chunk only. `null` is the same as absent.',
};

const background = 'All the work that continues in the background, `[]` if there is none. Absent or `null`: the agent does not report it.';

/** Sentences about the updates of version 2. Fields of a patch have three states: absent keeps, `null` clears, a value replaces. */
export const v2UpdateDescriptions: Descriptions = {
  UpdateSessionNotification: {
    '': 'Reports an event of a session to the client.',
    sessionId: 'The session.',
    update: 'The event.',
  },
  SessionUpdate: {
    '=user_message_chunk': 'A chunk of a message of the user.',
    '=user_message': 'A message of the user, or a change of it.',
    '=agent_message': 'A message of the agent, or a change of it.',
    '=agent_thought': 'A thought of the agent, or a change of it.',
    '=state_update': 'The state of the session. No other update reports it.',
    '=tool_call_update': 'A tool call is new or has changed.',
    '=tool_call_content_chunk': 'A chunk of the output of a tool call.',
    '=terminal_update': 'A terminal of the agent is new or has changed.',
    '=terminal_output_chunk': 'More output of a terminal.',
    '=plan_update': 'A plan is new or has changed.',
    '=plan_removed': 'A plan is no longer shown.',
    '=notice': 'A message to the user outside of the conversation.',
    '=compaction_update': 'A compaction is new or has changed.',
    '=compaction_summary_chunk': 'A chunk of a compaction’s summary.',
    '=subagent_update': 'A session that this one has started is new or has changed.',
    '=session_message': 'A message from one session to another, or a change of it.',
    '=session_message_chunk': 'A chunk of a message from one session to another.',
    '=replay_complete': 'The end of the replay that `session/resume` asked for.',
  },
  ContentChunk: {
    '': 'A block to append to a message. A new id starts a message.',
    content: 'The block.',
    messageId: 'The message it belongs to.',
    ...chunkMeta,
  },
  UserMessage: {
    '': 'A message of the user is new or has changed.',
    messageId: 'The message. Users, agents and thoughts have ids of their own.',
    content: 'All of it, instead of what was there and of all chunks before. Absent: as before; `null` or `[]` clears it.',
    ...patched,
  },
  AgentMessage: {
    '': 'A message of the agent is new or has changed.',
    messageId: 'The message. Users, agents and thoughts have ids of their own.',
    content: 'All of it, instead of what was there and of all chunks before. Absent: as before; `null` or `[]` clears it.',
    ...patched,
  },
  AgentThought: {
    '': 'A thought of the agent is new or has changed.',
    messageId: 'The thought. Users, agents and thoughts have ids of their own.',
    content: 'All of it, instead of what was there and of all chunks before. Absent: as before; `null` or `[]` clears it.',
    ...patched,
  },
  ContentBlock: {
    '=image': 'An image. In prompts only with the agent capability `session.prompt.image`.',
    '=audio': 'Audio. In prompts only with the agent capability `session.prompt.audio`.',
    '=resource': 'A resource with its content. In prompts only with the agent capability `session.prompt.embeddedContext`.',
  },
  ResourceLink: {
    icons: 'Icons for the user. Absent or `null`: none.',
  },
  Icon: {
    '': 'An icon. Clients load only `https:` and `data:` URLs, without credentials.',
    src: 'Its URI.',
    mimeType: 'Its media type. Absent or `null`: unknown.',
    sizes: 'The sizes it is made for, such as `48x48`, or `any`. Absent or `null`: any.',
    theme: 'The background it is made for. Absent or `null`: any.',
  },
  IconTheme: {
    '': 'A background.',
    '=light': 'A light one.',
    '=dark': 'A dark one.',
  },
  StateUpdate: {
    '': 'The whole state of a session. A client treats a state that it does not know as busy.',
    '=running': 'The agent is working.',
    '=idle': 'The agent is not working in the foreground.',
    '=requires_action': 'All work is blocked until the user acts.',
    '=unknown': 'The agent cannot determine the state. It does not mean that the work has ended.',
  },
  RunningStateUpdate: {
    '': 'The agent is working.',
    background,
  },
  RequiresActionStateUpdate: {
    '': 'All work is blocked until the user acts.',
    background,
  },
  UnknownStateUpdate: {
    '': 'The agent cannot determine the state of the session.',
    background,
  },
  IdleStateUpdate: {
    '': 'The agent is not working in the foreground. Without a stop reason, no work has ended with this update.',
    background,
    stopReason: 'The reason for the end of the work. Absent: not reported.',
    '=end_turn': 'The agent has finished.',
    '=max_tokens': 'The model reached its token limit.',
    '=max_turn_requests': 'The agent reached its limit of requests to the model for one prompt.',
    '=refusal': 'The agent declined to continue.',
    '=cancelled': 'The client cancelled it.',
    '=error': 'The work failed.',
  },
  ErrorStopReason: {
    '': 'The work failed.',
    error: 'The error. Absent or `null`: not reported.',
  },
  BackgroundWork: {
    '': 'Work that continues while the session is idle. An item whose `type` the client does not know is work as well.',
    '=terminal': 'A command in a terminal.',
    '=tool_call': 'A tool call.',
    '=subagent': 'A session that this one has started.',
  },
  BackgroundTerminal: {
    '': 'A command that continues in the background.',
    terminalId: 'Its terminal.',
  },
  BackgroundToolCall: {
    '': 'A tool call that continues in the background.',
    toolCallId: 'The tool call.',
  },
  BackgroundSubagent: {
    '': 'A session that continues in the background.',
    sessionId: 'The session.',
  },
  ToolCallUpdate: {
    '': 'A tool call is new or has changed. Absent fields are unchanged, and `null` clears a field.',
    name: 'The name of the tool, for programs.',
    title: 'Description for the user.',
    kind: 'The kind of tool. Cleared, or never set: `other`.',
    status: 'The state of the call. Cleared, or never set: `pending`.',
    content: 'Its whole output. It replaces the earlier output and all chunks before.',
    rawInput: 'The input of the tool, from the model.',
    rawOutput: 'The output of the tool.',
    capabilities: 'What the client may do with the call. Replaced as a whole.',
    ...patched,
  },
  ToolCallStatus: {
    '=paused': 'Stopped for now; it may continue.',
    '=cancelled': 'Cancelled before its end.',
  },
  ToolCallContentChunk: {
    '': 'Output to append to a tool call. A new id starts a tool call.',
    toolCallId: 'The tool call.',
    content: 'What to add.',
    ...chunkMeta,
  },
  ToolCallCapabilities: {
    '': 'What the client may do with a tool call.',
    cancel: '`tool_call/cancel` may be called. Absent or `null`: it must not.',
  },
  ToolCallCancelCapabilities: {
    '': 'The tool call can be cancelled. An empty object is enough.',
  },
  Terminal: {
    '': 'A terminal of the agent, shown live.',
    terminalId: 'The id of the terminal from an update.',
  },
  TerminalUpdate: {
    '': 'A terminal of the agent is new or has changed. Absent fields are unchanged, and `null` clears a field.',
    terminalId: 'The terminal.',
    command: 'The command that runs in it, for the user.',
    cwd: 'The working directory of the command.',
    output: 'Its whole output. It replaces the earlier output and all chunks before.',
    exitStatus: 'The end of the command. If it is present, the command has ended.',
    size: 'Its size in characters.',
    capabilities: 'What the client may do with the terminal. Replaced as a whole.',
    ...patched,
  },
  TerminalOutput: {
    '': 'The output of a terminal.',
    data: 'Its bytes in base64.',
  },
  TerminalOutputChunk: {
    '': 'Bytes to append to the output of a terminal. A new id starts a terminal.',
    terminalId: 'The terminal.',
    data: 'The bytes in base64. Decode each chunk, then join the bytes: a chunk may end within a character.',
    ...chunkMeta,
  },
  TerminalSize: {
    '': 'The size of a terminal in characters.',
    cols: 'Characters in a line.',
    rows: 'Lines.',
  },
  TerminalCapabilities: {
    '': 'What the client may do with a terminal.',
    cancel: '`terminal/cancel` may be called. Absent or `null`: it must not.',
  },
  TerminalCancelCapabilities: {
    '': 'The command of the terminal can be cancelled. An empty object is enough.',
  },
  Diff: {
    '': 'Changes to files.',
    changes: 'Changes of files.',
    patch: 'The changes as text. Absent or `null`: clients show only the list.',
  },
  DiffChange: {
    '': 'A change of one file.',
    fileType: 'The kind of file. Absent or `null`: unknown.',
    mimeType: 'The media type of its content. Absent or `null`: unknown.',
    '=add': 'The file is new.',
    '=delete': 'The file is deleted.',
    '=modify': 'The content of the file changes.',
    '=move': 'The file gets another path.',
    '=copy': 'The file is copied to another path.',
  },
  DiffPathChange: {
    '': 'A change of a file that keeps its path.',
    path: 'The file.',
  },
  DiffPathPairChange: {
    '': 'A change with a path before and a path after it.',
    oldPath: 'The file before.',
    path: 'The file after.',
  },
  DiffFileType: {
    '': 'The kind of file.',
    '=text': 'Text.',
    '=binary': 'Binary content.',
    '=directory': 'A folder.',
    '=symlink': 'A symbolic link.',
  },
  DiffPatch: {
    '': 'Changes in text form.',
    format: 'How to read the text.',
    text: 'The text.',
  },
  DiffPatchFormat: {
    '': 'The form of a patch.',
    '=git_patch': 'The format of `git diff`, with absolute paths without the prefixes `a/` and `b/`.',
  },
  PlanId: {
    '': 'Identifies a plan of a session. The agent chooses it.',
  },
  PlanUpdate: {
    '': 'A plan is new or has changed.',
    plan: 'The plan. It replaces the earlier one with its id.',
  },
  PlanUpdateContent: {
    '': 'A plan in one of several forms.',
    '=items': 'As a list of tasks.',
    '=file': 'In a file.',
    '=markdown': 'As Markdown.',
    '|other.planId': 'The plan.',
  },
  PlanItems: {
    '': 'A plan as a list of tasks.',
    planId: 'The plan.',
    entries: 'All tasks, in order.',
  },
  PlanFile: {
    '': 'A plan in a file.',
    planId: 'The plan.',
    uri: 'Where the file is.',
  },
  PlanMarkdown: {
    '': 'A plan as Markdown.',
    planId: 'The plan.',
    content: 'All of the text.',
  },
  PlanRemoved: {
    '': 'A plan is no longer shown.',
    planId: 'The plan.',
  },
  PlanEntryStatus: {
    '=cancelled': 'Dropped.',
  },
  AvailableCommand: {
    '': 'A command of the agent.',
    '=command': 'A slash command: a prompt that starts with `/` and its name runs it.',
    '|other.name': 'Its name.',
    '|other.description': 'Description for the user.',
  },
  Command: {
    '': 'A slash command.',
    name: 'Its name, without the slash.',
    description: 'Description for the user.',
    input: 'Its input. Absent or `null`: none.',
  },
  AvailableCommandInput: {
    '=text': 'Text after the command’s name.',
  },
  TextCommandInput: {
    '': 'Text that the user types after the command’s name.',
    hint: 'A hint to show while the input is empty.',
  },
  SessionInfoUpdate: {
    ...patched,
  },
  UsageUpdate: {
    cost: 'What the session has cost so far. Absent: as before; `null` clears it.',
    ...patched,
  },
  Notice: {
    '': 'A message to the user that is not part of the conversation and is not stored. It is not replayed, and a client may ignore it.',
  },
  CompactionUpdate: {
    '': 'A compaction is new or has changed. The first update fixes its position in the conversation. Absent fields are unchanged, and `null` clears a field.',
    summary: 'The whole summary. It replaces an earlier one and all chunks before.',
    ...patched,
  },
  CompactionSummaryChunk: {
    '': 'A block to append to a compaction’s summary. A new id starts a compaction.',
    content: 'The block.',
    ...chunkMeta,
  },
  SubagentUpdate: {
    '': 'A session that this one has started is new or has changed. It precedes all other messages with the id of that session. Absent fields are unchanged, and `null` clears a field.',
    sessionId: 'The session that was started.',
    title: 'Name for the user.',
    description: 'Description for the user.',
    capabilities: 'What the client may do with the session. Replaced as a whole.',
    state: 'The whole state of the session. Cleared: unknown, which does not mean idle.',
    cwd: 'Its working directory. Absent: unchanged, and at first that of this session.',
    additionalDirectories: 'Its additional folders. Absent: unchanged, and at first those of this session.',
    ...patched,
  },
  SubagentSessionCapabilities: {
    '': 'What the client may do with a session that another one has started.',
    cancel: '`session/cancel` may be sent with its id. Absent or `null`: it must not.',
  },
  SessionCancelCapabilities: {
    '': 'The work of the session can be cancelled. An empty object is enough.',
  },
  SessionMessage: {
    '': 'A message from one session to another is new or has changed. Both sessions report it, each with an id of its own. Absent fields are unchanged, and `null` clears a field.',
    messageId: 'The id of the message in this session.',
    senderSessionId: 'The session that sent it.',
    recipientSessionId: 'The session it was sent to.',
    senderMessageId: 'The id of the message in the session that sent it.',
    recipientMessageId: 'The id of the message in the session it was sent to.',
    content: 'The whole content. It replaces the earlier content and all chunks before; `[]` clears it.',
    ...patched,
  },
  SessionMessageChunk: {
    '': 'A block to append to a message from one session to another.',
    messageId: 'The id of the message in this session.',
    content: 'The block.',
    ...chunkMeta,
  },
  ReplayComplete: {
    '': 'The end of a replay. Later updates are live.',
  },
};
