import type { Descriptions } from '../schema.ts';

/** Of an update that is a patch. */
export const patched = {
  _meta:
    'Extra data for those who know its keys. Absent: as before; `null` clears it. An object changes only the keys it has, and a key that is `null` is removed.',
};

export const chunkMeta = {
  _meta: 'Extra data for this chunk only. `null` is the same as absent.',
};

export const updateDescriptions: Descriptions = {
  ContentChunk: {
    '': 'A chunk of a message. Append it to the chunks before.',
    content: 'The chunk.',
    messageId:
      'The message that it belongs to; another id starts another message. Absent or `null`: a chunk of another kind starts another message.',
  },
  MessageId: {
    '': 'Identifies a message. Unique in its session; the agent chooses it.',
  },
  SessionNotification: {
    '': 'Reports an event of a session to the client.',
    sessionId: 'The session.',
    update: 'The event.',
  },
  SessionUpdate: {
    '': 'An event of a session.',
    '=user_message_chunk': 'A chunk of a message of the user, for the replay of a loaded session.',
    '=agent_message_chunk': 'A chunk of a message of the agent.',
    '=agent_thought_chunk': 'A chunk of a thought of the agent.',
    '=tool_call': 'A new tool call.',
    '=tool_call_update': 'A change of a tool call.',
    '=plan': 'The plan of the agent.',
    '=available_commands_update': 'The available slash commands.',
    '=current_mode_update': 'The current mode of the session.',
    '=config_option_update': 'The configuration options of the session.',
    '=session_info_update': 'The title or the time of the session.',
    '=usage_update': 'The use of the context window, and the cost of the session.',
    '=notice': 'A message to the user outside of the conversation. Needs the client capability `session.notices`.',
    '=compaction_update': 'A compaction is new or has changed. Needs the client capability `session.compaction`.',
    '=compaction_summary_chunk': 'A chunk of a compaction’s summary. Needs the client capability `session.compaction`.',
    '=plan_update': 'A plan with an id is new or has changed. Needs the client capability `plan`.',
    '=plan_removed': 'A plan with an id is no longer shown. Needs the client capability `plan`.',
    '=subagent_update': 'A session that this one has started is new or has changed. Needs the client capability `subagents`.',
    '=session_message': 'A message from one session to another, or a change of it. Needs the client capability `subagents`.',
    '=session_message_chunk': 'A chunk of a message from one session to another. Needs the client capability `subagents`.',
  },
  Annotations: {
    '': 'Hints for the use of content.',
    audience: 'The intended readers. Absent or `null`: everyone.',
    lastModified: 'The time of the last change of the resource: ISO 8601. Absent or `null`: unknown.',
    priority: 'Its importance, from 0 (optional) to 1 (required). Absent or `null`: not specified.',
  },
  AudioContent: {
    '': 'Audio.',
    data: 'Its bytes in base64.',
    mimeType: 'Its media type, such as `audio/wav`.',
  },
  BlobResourceContents: {
    '': 'The content of a binary file.',
    blob: 'Its bytes in base64.',
    mimeType: 'Its media type. Absent or `null`: unknown.',
    uri: 'Its URI.',
  },
  ContentBlock: {
    '': 'Content of a prompt, a message or a tool call. The same as in the Model Context Protocol.',
    '=text': 'Text. Every agent accepts it in prompts.',
    '=image': 'An image. In prompts only with the agent capability `promptCapabilities.image`.',
    '=audio': 'Audio. In prompts only with the agent capability `promptCapabilities.audio`.',
    '=resource_link': 'A link to a resource. Every agent accepts it in prompts.',
    '=resource': 'A resource with its content. In prompts only with the agent capability `promptCapabilities.embeddedContext`.',
  },
  EmbeddedResource: {
    '': 'A resource with its content.',
    resource: 'Its content.',
  },
  EmbeddedResourceResource: {
    '': 'The content of a resource: text or bytes.',
  },
  ImageContent: {
    '': 'An image.',
    data: 'Its bytes in base64.',
    mimeType: 'Its media type, such as `image/png`.',
    uri: 'Its URI. Absent or `null`: unknown.',
  },
  ResourceLink: {
    '': 'A link to a file or another resource, which the agent reads by itself.',
    description: 'Description for the user. Absent or `null`: none.',
    mimeType: 'Its media type. Absent or `null`: unknown.',
    name: 'Its name, usually that of the file.',
    size: 'Its size in bytes. Absent or `null`: unknown.',
    title: 'Title for the user. Absent or `null`: use `name`.',
    uri: 'Its URI.',
  },
  Role: {
    '': 'The author or the reader of content.',
    '=assistant': 'The model.',
    '=user': 'The user.',
  },
  TextContent: {
    '': 'Text, plain or in Markdown.',
    text: 'The text.',
  },
  TextResourceContents: {
    '': 'The content of a text resource, such as a file.',
    mimeType: 'Its media type. Absent or `null`: unknown.',
    text: 'The text.',
    uri: 'Its URI.',
  },
  Content: {
    '': 'Content that a tool produced.',
    content: 'The content.',
  },
  Diff: {
    '': 'A change to a file.',
    path: 'The absolute path of the file.',
    oldText: 'The content before. Absent or `null`: the file is new.',
    newText: 'The content after.',
  },
  Terminal: {
    '': 'A terminal, shown live. Embed it before its release; it remains visible afterwards.',
    terminalId: 'The id of the terminal from `terminal/create`.',
  },
  ToolCall: {
    '': 'The agent starts a tool call.',
    toolCallId: 'The id for later updates.',
    title: 'Description for the user.',
    name: 'The name of the tool, for programs. Absent or `null`: unknown.',
    kind: 'The kind of tool. Absent: `other`.',
    status: 'The state of the call. Absent: `pending`.',
    content: 'Its output. Absent: none.',
    locations: 'The files that it uses. Absent: none.',
    rawInput: 'The input of the tool, from the model. Absent: unknown.',
    rawOutput: 'The output of the tool. Absent: unknown.',
  },
  ToolCallContent: {
    '': 'Output of a tool.',
    '=content': 'Text, an image or a resource.',
    '=diff': 'A change to a file.',
    '=terminal': 'A terminal.',
  },
  ToolCallId: {
    '': 'Identifies a tool call. Unique in its session; the agent chooses it.',
  },
  ToolCallLocation: {
    '': 'A location in a file that a tool uses, which a client can show.',
    path: 'The absolute path of the file.',
    line: 'The line, counted from 1. Absent or `null`: the whole file.',
  },
  ToolCallStatus: {
    '': 'The state of a tool call.',
    '=pending': 'Not started: its input is incomplete, or it waits for permission.',
    '=in_progress': 'Running.',
    '=completed': 'Done.',
    '=failed': 'Ended with an error.',
  },
  ToolCallUpdate: {
    '': 'A change of a tool call. Absent and `null` fields are unchanged.',
    toolCallId: 'The tool call.',
    kind: 'The kind of tool.',
    status: 'Its state.',
    title: 'Description for the user.',
    name: 'The name of the tool, for programs.',
    content: 'Its whole output. It replaces the earlier output.',
    locations: 'All files that it uses. The list replaces an earlier one.',
    rawInput: 'The input of the tool, from the model.',
    rawOutput: 'The output of the tool.',
  },
  ToolKind: {
    '': 'The kind of tool, for example to choose an icon.',
    '=read': 'Reads files or other data.',
    '=edit': 'Changes files.',
    '=delete': 'Removes files.',
    '=move': 'Moves or renames files.',
    '=search': 'Searches.',
    '=execute': 'Runs a command or code.',
    '=think': 'Thinks or plans.',
    '=fetch': 'Gets data from the network.',
    '=switch_mode': 'Changes the mode of the session.',
    '=other': 'Anything else.',
  },
  Plan: {
    '': 'The plan of the agent. Each plan replaces the one before.',
    entries: 'All tasks, in order.',
  },
  PlanEntry: {
    '': 'A task of a plan.',
    content: 'The task, for the user.',
    priority: 'Its importance.',
    status: 'Its state.',
  },
  PlanEntryPriority: {
    '': 'The importance of a task.',
    '=high': 'The goal depends on it.',
    '=medium': 'Important, but the goal does not depend on it.',
    '=low': 'Optional.',
  },
  PlanEntryStatus: {
    '': 'The state of a task.',
    '=pending': 'Not started.',
    '=in_progress': 'In progress.',
    '=completed': 'Done.',
  },
  AvailableCommand: {
    '': 'A slash command of the agent: a prompt that starts with `/` and its name runs it.',
    name: 'Its name, without the slash.',
    description: 'Description for the user.',
    input: 'Its input. Absent or `null`: none.',
  },
  AvailableCommandInput: {
    '': 'The input of a command.',
  },
  AvailableCommandsUpdate: {
    '': 'The available commands have changed.',
    availableCommands: 'The whole current list.',
  },
  UnstructuredCommandInput: {
    '': 'The text after the name of the command.',
    hint: 'A hint to show while the input is empty.',
  },
  Cost: {
    '': 'The cost of a session so far.',
    amount: 'The amount since the start of the session.',
    currency: 'The currency: an ISO 4217 code such as `EUR`, or a unit of the provider such as `credits`.',
  },
  UsageUpdate: {
    '': 'The use of the context window, and the cost of the session.',
    used: 'The number of tokens in the context.',
    size: 'The number of tokens that fit into the context.',
    cost: 'The cost of the session so far. Absent or `null`: unknown.',
  },
  Notice: {
    '': 'A message to the user that is not part of the conversation and is not stored. The user may never see it. Needs the client capability `session.notices`.',
    severity: 'Its urgency.',
    title: 'The notice in plain text. It must be clear without the description.',
    description: 'Description in plain text. Absent or `null`: none.',
  },
  NoticeSeverity: {
    '': 'The urgency of a notice. Names that start with `_` are reserved for extensions.',
    '=info': 'Information.',
    '=warning': 'A warning.',
    '=error': 'An error.',
  },
  CompactionId: {
    '': 'Identifies a compaction: the agent replaces earlier context with a summary. Unique in its session; the agent chooses it.',
  },
  CompactionStatus: {
    '': 'The state of a compaction. Names that start with `_` are reserved for extensions.',
    '=in_progress': 'Running.',
    '=completed': 'Done.',
    '=failed': 'Ended with an error.',
    '=cancelled': 'Cancelled before its end.',
  },
  CompactionSummaryChunk: {
    '': 'A chunk to append to a compaction’s summary. A new id starts a compaction. Needs the client capability `session.compaction`.',
    compactionId: 'The compaction.',
    content: 'The chunk.',
  },
  CompactionUpdate: {
    '': 'A compaction is new or has changed. The first update fixes its position in the conversation. Absent fields are unchanged, and `null` clears an optional field. Needs the client capability `session.compaction`.',
    compactionId: 'The compaction.',
    status: 'Its state.',
    summary: 'The whole summary. It replaces an earlier one; an empty list clears it.',
    error: 'The error, for the user.',
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
  },
  RequiresActionStateUpdate: {
    '': 'All work is blocked until the user acts.',
  },
  UnknownStateUpdate: {
    '': 'The agent cannot determine the state of the session.',
  },
  IdleStateUpdate: {
    '': 'The agent is not working in the foreground. Without a stop reason, no work has ended with this update.',
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
};
