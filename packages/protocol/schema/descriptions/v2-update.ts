import type { Descriptions } from '../schema.ts';
import { chunkMeta, patched } from './update.ts';

const background = 'All the work that continues in the background, `[]` if there is none. Absent or `null`: the agent does not report it.';

/** Sentences about the updates of version 2. Fields of a patch have three states: absent keeps, `null` clears, a value replaces. */
export const v2UpdateDescriptions: Descriptions = {
  UpdateSessionNotification: {
    '': 'Reports an event of a session to the client.',
    sessionId: 'The session.',
    update: 'The event.',
  },
  SessionUpdate: {
    '=user_message_chunk': 'A piece of a message of the user.',
    '=user_message': 'A message of the user, or a change of it.',
    '=agent_message': 'A message of the agent, or a change of it.',
    '=agent_thought': 'A thought of the agent, or a change of it.',
    '=state_update': 'What the session is doing. Nothing else says so.',
    '=tool_call_update': 'A tool call is new or has changed.',
    '=tool_call_content_chunk': 'A piece of what a tool call has produced.',
    '=terminal_update': 'A terminal of the agent is new or has changed.',
    '=terminal_output_chunk': 'More output of a terminal.',
    '=plan_update': 'A plan is new or has changed.',
    '=plan_removed': 'A plan is no longer shown.',
    '=notice': 'A message to the user outside of the conversation.',
    '=compaction_update': 'A compaction is new or has changed.',
    '=compaction_summary_chunk': 'A piece of a compaction’s summary.',
    '=subagent_update': 'A session that this one has started is new or has changed.',
    '=session_message': 'A message from one session to another, or a change of it.',
    '=session_message_chunk': 'A piece of a message from one session to another.',
    '=replay_complete': 'The end of the replay that `session/resume` asked for.',
  },
  ContentChunk: {
    '': 'A block to add to a message. An id that is new begins a message.',
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
    '=image': 'A picture. In prompts only with the agent capability `session.prompt.image`.',
    '=audio': 'A sound. In prompts only with the agent capability `session.prompt.audio`.',
    '=resource': 'A resource with its content. In prompts only with the agent capability `session.prompt.embeddedContext`.',
  },
  ResourceLink: {
    icons: 'Pictures for it, for the user. Absent or `null`: none.',
  },
  Icon: {
    '': 'A small picture that stands for something. Clients load only `https:` and `data:`, without credentials.',
    src: 'Where it is.',
    mimeType: 'Its media type. Absent or `null`: not known.',
    sizes: 'The sizes it is made for, `48x48` or `any`. Absent or `null`: any.',
    theme: 'The background it is made for. Absent or `null`: any.',
  },
  IconTheme: {
    '': 'A background.',
    '=light': 'A light one.',
    '=dark': 'A dark one.',
  },
  RunningStateUpdate: { background },
  RequiresActionStateUpdate: { background },
  UnknownStateUpdate: { background },
  IdleStateUpdate: { background },
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
    '': 'A tool call is new or has changed. Absent fields are as before, and `null` clears a field.',
    name: 'The tool’s name, for programs.',
    title: 'What it does, for the user.',
    kind: 'What kind of tool it is. Cleared, or never set: `other`.',
    status: 'The state of the call. Cleared, or never set: `pending`.',
    content: 'All it has produced, instead of what was there and of all chunks before.',
    rawInput: 'The input of the tool, from the model.',
    rawOutput: 'The output of the tool.',
    capabilities: 'What the client may do with the call. Replaced as a whole.',
    ...patched,
  },
  ToolCallStatus: {
    '=paused': 'Stopped for now; it may continue.',
    '=cancelled': 'Stopped before its end.',
  },
  ToolCallContentChunk: {
    '': 'Something to add to what a tool call has produced. An id that is new begins a tool call.',
    toolCallId: 'The tool call.',
    content: 'What to add.',
    ...chunkMeta,
  },
  ToolCallCapabilities: {
    '': 'What the client may do with a tool call.',
    cancel: '`tool_call/cancel` may be called. Absent or `null`: it must not.',
  },
  ToolCallCancelCapabilities: {
    '': 'The tool call can be cancelled. An empty object says it all.',
  },
  Terminal: {
    '': 'A terminal of the agent, shown live.',
    terminalId: 'The terminal, as an update named it.',
  },
  TerminalUpdate: {
    '': 'A terminal of the agent is new or has changed. Absent fields are as before, and `null` clears a field.',
    terminalId: 'The terminal.',
    command: 'The command that runs in it, for the user.',
    cwd: 'The folder the command was started in.',
    output: 'All of its output, instead of what was there and of all chunks before.',
    exitStatus: 'How the command ended. Present: it has ended.',
    size: 'How many characters fit into it.',
    capabilities: 'What the client may do with the terminal. Replaced as a whole.',
    ...patched,
  },
  TerminalOutput: {
    '': 'The output of a terminal.',
    data: 'Its bytes in base64.',
  },
  TerminalOutputChunk: {
    '': 'Bytes to add to the output of a terminal. An id that is new begins a terminal.',
    terminalId: 'The terminal.',
    data: 'The bytes in base64. Decode each chunk, then join the bytes: a chunk may end inside of a character.',
    ...chunkMeta,
  },
  TerminalSize: {
    '': 'How many characters fit into a terminal.',
    cols: 'Characters in a line.',
    rows: 'Lines.',
  },
  TerminalCapabilities: {
    '': 'What the client may do with a terminal.',
    cancel: '`terminal/cancel` may be called. Absent or `null`: it must not.',
  },
  TerminalCancelCapabilities: {
    '': 'The command of the terminal can be cancelled. An empty object says it all.',
  },
  Diff: {
    '': 'Changes to files.',
    changes: 'What happens to which files.',
    patch: 'The changes in text form. Absent or `null`: there is none, and clients show the list alone.',
  },
  DiffChange: {
    '': 'What happens to one file.',
    fileType: 'What kind of file it is. Absent or `null`: not known.',
    mimeType: 'The media type of its content. Absent or `null`: not known.',
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
    '': 'What kind of file it is.',
    '=text': 'Text.',
    '=binary': 'Bytes that are not text.',
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
    '=git_patch': 'As of `git diff`, with absolute paths that have no `a/` or `b/` before them.',
  },
  PlanUpdateContent: {
    '|other.planId': 'The plan.',
  },
  PlanEntryStatus: {
    '=cancelled': 'Dropped.',
  },
  AvailableCommand: {
    '': 'A command of the agent.',
    '=command': 'A slash command: a prompt that starts with `/` and its name runs it.',
    '|other.name': 'Its name.',
    '|other.description': 'What it does, for the user.',
  },
  Command: {
    '': 'A slash command.',
    name: 'Its name, without the slash.',
    description: 'What it does, for the user.',
    input: 'What it takes. Absent or `null`: nothing.',
  },
  AvailableCommandInput: {
    '=text': 'Text after the command’s name.',
  },
  TextCommandInput: {
    '': 'Text that the user types after the command’s name.',
    hint: 'What to show while nothing is typed yet.',
  },
  SessionInfoUpdate: {
    ...patched,
  },
  UsageUpdate: {
    cost: 'What the session has cost so far. Absent: as before; `null` clears it.',
    ...patched,
  },
  Notice: {
    '': 'A message to the user that is not part of the conversation and not kept. It is not replayed, and a client may ignore it.',
  },
  CompactionUpdate: {
    '': 'A compaction is new or has changed. The first update fixes its position in the conversation. Absent fields are as before, and `null` clears a field.',
    summary: 'All of the summary, instead of what was there and of all chunks before.',
    ...patched,
  },
  CompactionSummaryChunk: {
    '': 'A block to add to a compaction’s summary. An id that is new begins a compaction.',
    content: 'The block.',
    ...chunkMeta,
  },
  ReplayComplete: {
    '': 'The end of a replay. What follows is live.',
  },
};
