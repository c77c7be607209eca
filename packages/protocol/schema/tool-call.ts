import { ContentBlock } from './content.ts';
import { anything, choice, list, meaning, nullable, object, optional, required, string, tagged, uint32, variant } from './language.ts';
import { TerminalId } from './terminal.ts';

export const ToolCallId = meaning(string, 'Names a tool call. Unique in its session; the agent chooses it.');

export const ToolKind = choice('What a tool does, so that a client can show a fitting icon.', {
  read: 'Reads files or other data.',
  edit: 'Changes files.',
  delete: 'Removes files.',
  move: 'Moves or renames files.',
  search: 'Looks for something.',
  execute: 'Runs a command or code.',
  think: 'Thinks or plans.',
  fetch: 'Gets something from elsewhere.',
  switch_mode: 'Changes the mode of the session.',
  other: 'Anything else.',
});

export const ToolCallStatus = choice('How far a tool call has come.', {
  pending: 'Not begun: its input is still being written, or it waits for permission.',
  in_progress: 'Running.',
  completed: 'Done.',
  failed: 'Ended with an error.',
});

export const Content = object('Content a tool produced.', {
  content: required(ContentBlock, 'The content.'),
});

export const Diff = object('A change to a file.', {
  path: required(string, 'The file: an absolute path.'),
  oldText: optional(nullable(string), 'What it held before. Absent or `null`: it is new.').orAbsent(),
  newText: required(string, 'What it holds after.'),
});

export const Terminal = object('A terminal, shown live. It stays visible after its release, so embed it before that.', {
  terminalId: required(TerminalId, 'The terminal, as `terminal/create` named it.'),
});

export const ToolCallContent = tagged({
  description: 'Something a tool produced.',
  tag: 'type',
  variants: {
    content: variant(Content, 'Text, a picture, a resource.'),
    diff: variant(Diff, 'A change to a file.'),
    terminal: variant(Terminal, 'A terminal.'),
  },
  other: anything,
});

export const ToolCallLocation = object('A place in a file a tool works on, so that a client can follow along.', {
  path: required(string, 'The file: an absolute path.'),
  line: optional(nullable(uint32), 'The line, from 1. Absent or `null`: the file as a whole.').orAbsent(),
});

export const ToolCall = object('The agent begins to use a tool.', {
  toolCallId: required(ToolCallId, 'What later updates refer to.'),
  title: required(string, 'What it does, for the user.'),
  name: optional(nullable(string), 'The tool’s name, for programs. Absent or `null`: not said.').orAbsent(),
  kind: optional(ToolKind, 'What kind of tool it is. Absent: `other`.').orAbsent(),
  status: optional(ToolCallStatus, 'How far it has come. Absent: `pending`.').orAbsent(),
  content: optional(list(ToolCallContent), 'What it has produced. Absent: nothing.').orAbsent().withoutBadItems(),
  locations: optional(list(ToolCallLocation), 'The places it works on. Absent: none.').orAbsent().withoutBadItems(),
  rawInput: optional(anything, 'What the model gave the tool. Absent: not said.').orAbsent(),
  rawOutput: optional(anything, 'What the tool gave back. Absent: not said.').orAbsent(),
});

export const ToolCallUpdate = object('A tool call has come further. Only what is given changes; absent and `null` both mean: as before.', {
  toolCallId: required(ToolCallId, 'The tool call.'),
  kind: optional(nullable(ToolKind), 'Its kind from now on.').orAbsent(),
  status: optional(nullable(ToolCallStatus), 'How far it has come.').orAbsent(),
  title: optional(nullable(string), 'What it does, for the user.').orAbsent(),
  name: optional(nullable(string), 'The tool’s name, for programs.').orAbsent(),
  content: optional(nullable(list(ToolCallContent)), 'All it has produced, in place of what was there.')
    .orAbsent()
    .withoutBadItems(),
  locations: optional(nullable(list(ToolCallLocation)), 'All the places it works on, instead of the earlier ones.')
    .orAbsent()
    .withoutBadItems(),
  rawInput: optional(anything, 'What the model gave the tool.').orAbsent(),
  rawOutput: optional(anything, 'What the tool gave back.').orAbsent(),
});
