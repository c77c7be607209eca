import { AvailableCommandsUpdate } from './command.ts';
import { CompactionSummaryChunk, CompactionUpdate } from './compaction.ts';
import { ConfigOptionUpdate } from './config-option.ts';
import { ContentBlock } from './content.ts';
import { anything, meaning, nullable, object, optional, required, string, tagged, variant } from './language.ts';
import { CurrentModeUpdate } from './mode.ts';
import { Notice } from './notice.ts';
import { Plan } from './plan.ts';
import { SessionId } from './session-id.ts';
import { SessionInfoUpdate } from './session-list.ts';
import { ToolCall, ToolCallUpdate } from './tool-call.ts';
import { UsageUpdate } from './usage.ts';

export const MessageId = meaning(string, 'Names a message. Unique in its session; the agent chooses it.');

export const ContentChunk = object('A piece of a message, to be put after the pieces before.', {
  content: required(ContentBlock, 'The piece.'),
  messageId: optional(
    nullable(MessageId),
    'The message it belongs to; another id begins another message. Absent or `null`: not said, the kind of chunk decides.',
  ).orAbsent(),
});

export const SessionUpdate = tagged({
  description: 'Something that happened in a session.',
  tag: 'sessionUpdate',
  variants: {
    user_message_chunk: variant(ContentChunk, 'A piece of what the user said; replayed when a session is loaded.'),
    agent_message_chunk: variant(ContentChunk, 'A piece of what the agent says.'),
    agent_thought_chunk: variant(ContentChunk, 'A piece of what the agent thinks.'),
    tool_call: variant(ToolCall, 'A tool call begins.'),
    tool_call_update: variant(ToolCallUpdate, 'A tool call has come further.'),
    plan: variant(Plan, 'What the agent means to do.'),
    available_commands_update: variant(AvailableCommandsUpdate, 'The slash commands there are.'),
    current_mode_update: variant(CurrentModeUpdate, 'The mode the session is in.'),
    config_option_update: variant(ConfigOptionUpdate, 'The configuration options of the session.'),
    session_info_update: variant(SessionInfoUpdate, 'What the list of sessions says about this one.'),
    usage_update: variant(UsageUpdate, 'How full the context window is, and what the session has cost.'),
    notice: variant(Notice, 'A word to the user beside the conversation. Needs the client capability `session.notices`.'),
    compaction_update: variant(
      CompactionUpdate,
      'A compaction begins or has come further. Needs the client capability `session.compaction`.',
    ),
    compaction_summary_chunk: variant(
      CompactionSummaryChunk,
      'A piece of a compaction’s summary. Needs the client capability `session.compaction`.',
    ),
  },
  other: anything,
});

export const SessionNotification = object('Tells the client what happened in a session.', {
  sessionId: required(SessionId, 'The session.'),
  update: required(SessionUpdate, 'What happened.'),
});
