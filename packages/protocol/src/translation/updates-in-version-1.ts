import type { SessionConfigOption, SessionUpdate } from '../generated/types.ts';
import type {
  BackgroundWork,
  ContentBlock,
  SessionUpdate as V2Update,
  TerminalUpdate,
  ToolCallContent,
  ToolCallLocation,
  ToolCallUpdate,
} from '../generated/v2-types.ts';
import { AgentTerminal } from './agent-terminal.ts';
import { type CallContent, grownContent, noContent, shownContent, wholeContent } from './call-content.ts';
import { mostOfOne, NewestReports, sizeOf } from './newest-reports.ts';
import {
  changedPaths,
  commandsInVersion1,
  modesInVersion1,
  optionsInVersion1,
  planInVersion1,
} from './values-in-version-1.ts';

/** The text of a message, to compare it with a later report of the whole message. */
interface ReportedMessage {
  readonly text: string;
  /** In UTF-16 units. Beyond the limit the text is not kept: a report of the whole message replaces it. */
  readonly units: number;
}

/** The fields of a tool call that its updates change item by item. */
interface ReportedCall {
  readonly content: CallContent;
  readonly locations: readonly ToolCallLocation[];
  /** The agent can cancel it separately. */
  readonly canCancel: boolean;
}

/**
 * The content of earlier updates of a session that later ones depend on. Its memory is bounded, however much the agent sends: of each kind
 * only the newest are kept, of a terminal the end of its output, and of a tool call the end of a content that grew in chunks.
 */
export interface ReportedSession {
  /** By kind and id. */
  readonly messages: NewestReports<ReportedMessage>;
  readonly calls: NewestReports<ReportedCall>;
  readonly terminals: NewestReports<AgentTerminal>;
  readonly compactions: NewestReports<string>;
  /** The value of the option for modes. */
  modeId?: string;
  /** The agent has reported its commands in an update. */
  hasCommands?: boolean;
}

/** A session without updates. */
export function unreported(): ReportedSession {
  return {
    messages: new NewestReports(),
    calls: new NewestReports(),
    terminals: new NewestReports(),
    compactions: new NewestReports(),
  };
}

/**
 * The updates of version 1 that have the content of an update of version 2, in order. An update that version 1 cannot express stays as it
 * is: the transcript knows states, terminals, and messages whose earlier content changed. The end of a replay is not an update.
 */
export function updatesInVersion1(session: ReportedSession, update: V2Update): readonly SessionUpdate[] {
  switch (update.sessionUpdate) {
    case 'user_message_chunk':
    case 'agent_message_chunk':
    case 'agent_thought_chunk':
      return withChunk(session, update);
    case 'user_message':
    case 'agent_message':
    case 'agent_thought':
      return withMessage(session, update);
    case 'tool_call_update':
      return withCall(session, update);
    case 'tool_call_content_chunk':
      return withContent(session, update.toolCallId, update.content);
    case 'state_update':
      return withState(session, update);
    case 'replay_complete':
      return [];
    default:
      return otherUpdates(session, update);
  }
}

type Tag<Kind extends string> = Extract<V2Update, { readonly sessionUpdate: Kind }>;

function otherUpdates(session: ReportedSession, update: V2Update): readonly SessionUpdate[] {
  switch (update.sessionUpdate) {
    case 'terminal_update':
      return withTerminal(session, update);
    case 'terminal_output_chunk':
      return withOutput(session, update);
    case 'plan_update':
      return withPlan(update);
    case 'available_commands_update':
      session.hasCommands = true;
      return [{ ...update, availableCommands: commandsInVersion1(update.availableCommands) }];
    case 'config_option_update':
      return withOptions(session, optionsInVersion1(update.configOptions));
    case 'compaction_update':
      return withCompaction(session, update);
    default:
      return unchanged(update);
  }
}

function withOptions(session: ReportedSession, configOptions: SessionConfigOption[]): readonly SessionUpdate[] {
  return [{ sessionUpdate: 'config_option_update', configOptions }, ...changedMode(session, configOptions)];
}

/** The change of the mode, if the option for modes has another value. */
export function changedMode(
  session: ReportedSession,
  options: readonly SessionConfigOption[],
): readonly SessionUpdate[] {
  const currentModeId = modesInVersion1(options)?.currentModeId;
  if (currentModeId === undefined || currentModeId === session.modeId) return [];
  session.modeId = currentModeId;
  return [{ sessionUpdate: 'current_mode_update', currentModeId }];
}

/** Also for updates that are the same in both versions. */
function unchanged(update: V2Update): readonly SessionUpdate[] {
  return [update as unknown as SessionUpdate];
}

type Chunk = Tag<'user_message_chunk' | 'agent_message_chunk' | 'agent_thought_chunk'>;

function withChunk({ messages }: ReportedSession, update: Chunk): readonly SessionUpdate[] {
  const key = `${update.sessionUpdate} ${update.messageId}`;
  const added = textOf(update.content);
  const { text, units } = messages.get(key) ?? { text: '', units: 0 };
  keepMessage(messages, key, { text: text + added, units: units + sizeOf(added) });
  return unchanged(update);
}

/** A whole message: its chunks, or those that are new. A message whose earlier content changed stays as it is. */
function withMessage({ messages }: ReportedSession, update: Tag<'user_message' | 'agent_message' | 'agent_thought'>) {
  const { sessionUpdate: kind, messageId, content, ...rest } = update;
  const sessionUpdate = `${kind}_chunk` as const;
  const key = `${sessionUpdate} ${messageId}`;
  const before = messages.get(key);
  if (content === undefined && before !== undefined) return [];
  const blocks = content ?? [];
  const text = blocks.map(textOf).join('');
  keepMessage(messages, key, { text, units: sizeOf(text) });
  const isComparable = before === undefined || before.units <= mostOfOne;
  const added = isComparable ? addedBlocks(before?.text ?? '', blocks) : undefined;
  return (
    added?.map((block) => ({ ...rest, sessionUpdate, messageId, content: block }) as SessionUpdate) ?? unchanged(update)
  );
}

function keepMessage(messages: ReportedSession['messages'], key: string, { text, units }: ReportedMessage): void {
  const kept = units > mostOfOne ? '' : text;
  messages.keep(key, { text: kept, units }, sizeOf(kept));
}

function textOf(block: ContentBlock): string {
  return block.type === 'text' ? block.text : JSON.stringify(block);
}

/** The blocks after a text. Undefined: they do not begin with it. */
function addedBlocks(before: string, blocks: readonly ContentBlock[]): readonly ContentBlock[] | undefined {
  let rest = before;
  const added: ContentBlock[] = [];
  for (const block of blocks) {
    const text = textOf(block);
    const known = rest.startsWith(text) ? text : rest;
    if (!text.startsWith(known)) return undefined;
    rest = rest.slice(known.length);
    if (known === '') added.push(block);
    else if (known !== text) added.push({ ...block, text: text.slice(known.length) } as ContentBlock);
  }
  return rest === '' ? added : undefined;
}

/** A change of a tool call. The first report begins it, in version 1 with a title. */
export function withCall(session: ReportedSession, patch: ToolCallUpdate): readonly SessionUpdate[] {
  const { content } = patch;
  return withPatch(session, patch, content === undefined ? undefined : wholeContent(content ?? []));
}

/** @param content the content after the patch. Undefined: it is unchanged */
function withPatch(
  session: ReportedSession,
  patch: ToolCallUpdate,
  content: CallContent | undefined,
): readonly SessionUpdate[] {
  const { toolCallId } = patch;
  const before = session.calls.get(toolCallId);
  const call = callAfter(before ?? noCall, patch, content);
  session.calls.keep(toolCallId, call, call.content.units + sizeOf(JSON.stringify(call.locations)));
  const title = patch.title ?? patch.name ?? patch.kind ?? cleared.title;
  const kind = before === undefined ? { sessionUpdate: 'tool_call', title } : { sessionUpdate: 'tool_call_update' };
  const update = { ...callFields(patch, call), ...kind } as SessionUpdate;
  return [update, ...(patch.content ?? []).flatMap((item) => shownTerminal(session, toolCallId, item))];
}

const noCall: ReportedCall = { content: noContent, locations: [], canCancel: false };

function callAfter(
  before: ReportedCall,
  { locations, capabilities }: ToolCallUpdate,
  content: CallContent = before.content,
): ReportedCall {
  return {
    content,
    locations: locations === undefined ? before.locations : (locations ?? []),
    canCancel: capabilities === undefined ? before.canCancel : Boolean(capabilities?.cancel),
  };
}

/** The value of each field that `null` clears. In version 1 `null` changes nothing. */
const cleared = { title: 'Tool', kind: 'other', status: 'pending', content: [], locations: [] };

function callFields(patch: ToolCallUpdate, call: ReportedCall): object {
  const located = new Set(call.locations.map(({ path }) => path));
  const changes = changedPaths(call.content.items).filter((path) => !located.has(path));
  const isMoved = patch.locations !== undefined || (patch.content !== undefined && changes.length > 0);
  const fields = {
    ...patch,
    ...(patch.content !== undefined && { content: shownContent(call.content) }),
    // A rule judges a call by its paths, and a patch may not show all of them.
    ...(isMoved && { locations: [...call.locations, ...changes.map((path) => ({ path }))] }),
  };
  const changed = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    changed.map(([name, value]) => [name, value ?? cleared[name as keyof typeof cleared] ?? null]),
  );
}

/** An item that is added to a tool call. Version 1 reports the whole content. */
function withContent(session: ReportedSession, toolCallId: string, item: ToolCallContent): readonly SessionUpdate[] {
  const content = grownContent(session.calls.get(toolCallId)?.content ?? noContent, item);
  return withPatch(session, { toolCallId, content: content.items }, content);
}

/** A call refers to a terminal: from now on it reports the output. */
function shownTerminal(session: ReportedSession, toolCallId: string, item: ToolCallContent): readonly SessionUpdate[] {
  if (item.type !== 'terminal') return [];
  const terminal = terminalOf(session, item.terminalId);
  if (terminal.toolCallId !== undefined) return [];
  terminal.toolCallId = toolCallId;
  const { text, isCut } = terminal.output;
  keepTerminal(session, terminal);
  return report(terminal, { facts: terminal.facts, text, isCut });
}

function terminalOf({ terminals }: ReportedSession, id: string): AgentTerminal {
  return terminals.get(id) ?? new AgentTerminal(id);
}

function keepTerminal({ terminals }: ReportedSession, terminal: AgentTerminal): void {
  terminals.keep(terminal.id, terminal, sizeOf(terminal.output.text));
}

function withTerminal(session: ReportedSession, update: Tag<'terminal_update'>): readonly SessionUpdate[] {
  const { output, ...rest } = update;
  const { terminalId, command, cwd, exitStatus, capabilities } = rest;
  const terminal = terminalOf(session, terminalId);
  const facts = { ...(command && { command }), ...(cwd && { cwd }), ...(exitStatus && { exitStatus }) };
  terminal.facts = { ...terminal.facts, ...facts };
  if (capabilities !== undefined) terminal.canCancel = Boolean(capabilities?.cancel);
  const printed = output ? (decoded(() => terminal.replace(output.data)) ?? nothing) : nothing;
  keepTerminal(session, terminal);
  const isNews = command !== undefined || exitStatus !== undefined || capabilities !== undefined;
  const known = isNews ? unchanged(rest) : [];
  return terminal.toolCallId === undefined ? known : [...report(terminal, { facts, ...printed }), ...known];
}

const nothing = { text: '', isWhole: false };

function withOutput(session: ReportedSession, update: Tag<'terminal_output_chunk'>): readonly SessionUpdate[] {
  const terminal = terminalOf(session, update.terminalId);
  const text = decoded(() => terminal.add(update.data));
  keepTerminal(session, terminal);
  if (text === undefined) return unchanged(update);
  return terminal.toolCallId === undefined ? [] : report(terminal, { facts: {}, text });
}

/** Undefined if the bytes are not base64. */
function decoded<Text>(decode: () => Text): Text | undefined {
  try {
    return decode();
  } catch {
    return undefined;
  }
}

interface TerminalReport {
  readonly facts: Pick<TerminalUpdate, 'command' | 'cwd' | 'exitStatus'>;
  readonly text: string;
  /** The text is the whole output, and differs from the earlier one. */
  readonly isWhole?: boolean;
  /** The text is the end of a longer output. */
  readonly isCut?: boolean;
}

/** News of a terminal as an update of its call, with the fields that agents of version 1 use for it. */
function report({ id, toolCallId }: AgentTerminal, { facts, ...printed }: TerminalReport): readonly SessionUpdate[] {
  const { command, cwd, exitStatus } = facts;
  const terminal_id = id;
  const meta = {
    ...(cwd && { terminal_info: { terminal_id, cwd } }),
    ...((printed.text !== '' || printed.isWhole) && { terminal_output: { terminal_id, ...outputFields(printed) } }),
    ...(exitStatus && {
      terminal_exit: { terminal_id, exit_code: exitStatus.exitCode ?? null, signal: exitStatus.signal ?? null },
    }),
  };
  const fields = {
    ...(command && { rawInput: { command, ...(cwd && { cwd }) } }),
    ...(Object.keys(meta).length > 0 && { _meta: meta }),
  };
  if (Object.keys(fields).length === 0) return [];
  return [{ sessionUpdate: 'tool_call_update', toolCallId, ...fields } as unknown as SessionUpdate];
}

function outputFields({ text, isWhole, isCut }: Omit<TerminalReport, 'facts'>): object {
  return { data: text, ...(isWhole && { is_whole: true }), ...(isCut && { is_truncated: true }) };
}

function withPlan(update: Tag<'plan_update'>): readonly SessionUpdate[] {
  const { plan } = update;
  if (plan.type !== 'items') return unchanged(update);
  return unchanged({ ...update, plan: { ...plan, entries: planInVersion1(plan.entries) } });
}

/** A terminal in the background names the call that shows it: the call has not ended either. */
function withState({ terminals }: ReportedSession, update: Tag<'state_update'>): readonly SessionUpdate[] {
  const { background } = update as { readonly background?: readonly BackgroundWork[] | null };
  if (!Array.isArray(background)) return unchanged(update);
  const work = background.map((each) => {
    const toolCallId = each.type === 'terminal' ? terminals.get(String(each['terminalId']))?.toolCallId : undefined;
    return toolCallId === undefined ? each : { ...each, toolCallId };
  });
  return unchanged({ ...update, background: work });
}

function withCompaction(session: ReportedSession, update: Tag<'compaction_update'>): readonly SessionUpdate[] {
  const status = update.status ?? session.compactions.get(update.compactionId) ?? 'in_progress';
  session.compactions.keep(update.compactionId, status, 0);
  return [{ ...update, status } as SessionUpdate];
}
