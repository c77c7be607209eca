import { type RequestPermissionRequest, toolCallChanges, type ToolCallUpdate } from '@turnwire/protocol';
import { appended, appendedBeside, keyAt, remember, replaced, type Transcript } from './transcript.ts';
import type { PermissionOutcome } from './transcript-event.ts';
import type { ToolCallEntry, ToolCallState } from './transcript-view.ts';
import { commandOf, parentIdOf, withoutStreams } from './tool-call-data.ts';
import { exitCodeOf, outputAfter, chunkIn } from './tool-call-output.ts';

/** A report of a tool call, and its context. */
export interface ReportedCall {
  readonly call: ToolCallUpdate;
  readonly at: number;
  readonly isReplay: boolean;
  /** True for `tool_call`: the call starts, if it has not already. */
  readonly isAnnouncement: boolean;
}

/** Applies a report of a tool call. Any first report creates the entry: agents announce, update and ask in any order. */
export function withToolCall(transcript: Transcript, reported: ReportedCall): Transcript {
  const index = indexOf(transcript, reported);
  const known = index === undefined ? undefined : callAt(transcript, index);
  if (index === undefined || known === undefined) return withNewCall(transcript, reported);
  return withStream(withCall(transcript, index, merged(transcript, known, reported)), known.key, reported);
}

/** Records that the output of a call comes in chunks. */
function withStream(transcript: Transcript, key: string, { call }: ReportedCall): Transcript {
  const { streamed } = transcript.memory;
  const isNews = chunkIn(call['_meta']) !== undefined && streamed.get(key) === undefined;
  return isNews ? remember(transcript, { streamed: streamed.with(key, 1) }) : transcript;
}

/** A permission request also reports fields of the call. */
export function withQuestion(transcript: Transcript, { toolCall }: RequestPermissionRequest, at: number): Transcript {
  const reported = withToolCall(transcript, { call: toolCall, at, isReplay: false, isAnnouncement: false });
  return changedCall(reported, toolCall.toolCallId, { permission: { state: 'asked' } });
}

export function withAnswer(transcript: Transcript, outcome: PermissionOutcome, at: number): Transcript {
  return changedCall(transcript, outcome.toolCallId, { permission: { state: 'answered', ...outcome }, answeredAt: at });
}

/** Marks a call that changed something without asking. For an unknown call, adds a notice instead, so that the user sees it. */
export function withRanUnasked(
  transcript: Transcript,
  ran: { toolCallId: string; explanation: string; at: number },
): Transcript {
  if (transcript.memory.toolCalls.get(ran.toolCallId) !== undefined) {
    return changedCall(transcript, ran.toolCallId, { ranUnasked: ran.explanation });
  }
  const { at, explanation: title } = ran;
  return appendedBeside(transcript, { type: 'notice', at, severity: 'warning', title, from: 'client' });
}

/**
 * Ends every open call when the turn has ended or is being cancelled, except those in the background. The search runs from the end until it
 * has found all open calls.
 */
export function settled(transcript: Transcript, state: 'cancelled' | 'abandoned', at: number): Transcript {
  const background = new Set(transcript.background.map(({ toolCallId }) => toolCallId));
  let next = transcript;
  let found = 0;
  for (let index = transcript.entries.length - 1; found < transcript.memory.unsettled && index >= 0; index--) {
    const call = callAt(transcript, index);
    if (call === undefined || !isUnsettled(call)) continue;
    found++;
    if (!background.has(call.toolCallId)) next = withCall(next, index, ended(call, state, at));
  }
  return next;
}

/** Replaces a call. */
function withCall(transcript: Transcript, index: number, call: ToolCallEntry): Transcript {
  const before = callAt(transcript, index);
  const change = Number(isUnsettled(call)) - Number(before !== undefined && isUnsettled(before));
  return counted(replaced(transcript, index, call), change);
}

function counted(transcript: Transcript, change: number): Transcript {
  return change === 0 ? transcript : remember(transcript, { unsettled: transcript.memory.unsettled + change });
}

function isUnsettled({ state, permission }: Pick<ToolCallEntry, 'state' | 'permission'>): boolean {
  return !isEnd(state) || permission?.state === 'asked';
}

function ended(call: ToolCallEntry, state: ToolCallState, at: number): ToolCallEntry {
  const { toolCallId } = call;
  const reason = 'the turn ended before it was answered';
  return {
    ...call,
    ...(!isEnd(call.state) && { state, endedAt: at }),
    ...(call.permission?.state === 'asked' && {
      permission: { state: 'answered', toolCallId, allowed: false, reason },
    }),
  };
}

/**
 * The position of a call. An announcement with the id of a call that ended in an earlier turn is a new call, by an agent that reuses ids.
 */
function indexOf({ memory, entries, turnId }: Transcript, { call, isAnnouncement }: ReportedCall): number | undefined {
  const index = memory.toolCalls.get(call.toolCallId);
  if (index === undefined || index < memory.sessionStart) return undefined;
  const isOld = isAnnouncement && turnId !== undefined && index < memory.turnStart;
  const entry = entries.at(index);
  return isOld && entry?.type === 'tool-call' && isEnd(entry.state) ? undefined : index;
}

function withNewCall(transcript: Transcript, reported: ReportedCall): Transcript {
  const index = transcript.entries.length;
  const { key, ...entry } = merged(transcript, blank(reported, keyAt(index)), reported);
  const toolCalls = transcript.memory.toolCalls.with(reported.call.toolCallId, index);
  const begun = remember(appended(transcript, entry), { toolCalls });
  return withStream(counted(begun, Number(isUnsettled(entry))), key, reported);
}

function blank(
  { call: { toolCallId }, at, isReplay }: Omit<ReportedCall, 'isAnnouncement'>,
  key: string,
): ToolCallEntry {
  return {
    type: 'tool-call',
    key,
    at,
    toolCallId,
    title: toolCallId,
    kind: 'other',
    state: 'pending',
    content: [],
    locations: [],
    isReplay,
  };
}

function merged(transcript: Transcript, entry: ToolCallEntry, reported: ReportedCall): ToolCallEntry {
  const isStreamed = transcript.memory.streamed.get(entry.key) !== undefined;
  return withParent(transcript, mergedCall({ entry, isStreamed }, reported));
}

/** A tool call, merged from its reports outside of a transcript. */
export interface MergedCall {
  /** The call as a transcript has it; its key is its id. */
  readonly entry: ToolCallEntry;
  /** Whether its output comes in chunks. */
  readonly isStreamed: boolean;
}

/**
 * Merges a report of a tool call, for surfaces that need only the current state of calls and no transcript.
 * @param before the call so far. Undefined: any first report creates it
 * @param reported the report: `at` in milliseconds since 1970, and whether it is part of a replay
 */
export function withReport(
  before: MergedCall | undefined,
  reported: { readonly call: ToolCallUpdate; readonly at: number; readonly isReplay: boolean },
): MergedCall {
  const known = before ?? { entry: blank(reported, reported.call.toolCallId), isStreamed: false };
  const isStreamed = known.isStreamed || chunkIn(reported.call['_meta']) !== undefined;
  return { entry: mergedCall(known, reported), isStreamed };
}

function mergedCall({ entry, isStreamed }: MergedCall, { call, at }: Pick<ReportedCall, 'call' | 'at'>): ToolCallEntry {
  const { title, status = entry.state, name, kind, content, locations, rawInput, rawOutput } = toolCallChanges(call);
  const { capabilities } = call as { readonly capabilities?: { readonly cancel?: unknown } | null };
  const state = nextState(entry.state, status);
  const before = { text: entry.output ?? '', isCut: entry.isOutputCut ?? false };
  const output = outputAfter({ before, isStreamed, call, state });
  const reported = {
    ...{ name, kind, content: withApproved(entry, content), locations, rawInput, rawOutput },
    title: title || undefined,
    meta: withoutStreams(entry.meta, call['_meta']),
    command: commandOf(call.rawInput),
    output: output?.text,
    isOutputCut: output && output.isCut !== before.isCut ? output.isCut : undefined,
    exitCode: exitCodeOf(call),
    canCancel: capabilities === undefined ? undefined : Boolean(capabilities?.cancel),
    endedAt: isEnd(state) && state !== entry.state ? at : undefined,
  };
  return { ...entry, ...present(reported), state };
}

/** Keeps the diffs that the user was asked about, even if the last report of the call contains only its result. */
function withApproved(
  { permission, content: before }: ToolCallEntry,
  content: ToolCallEntry['content'] | undefined,
): ToolCallEntry['content'] | undefined {
  if (!permission || !content || content.some(({ type }) => type === 'diff')) return content;
  return [...before.filter(({ type }) => type === 'diff'), ...content];
}

/** The parent may be reported later than the child. */
function withParent({ memory }: Transcript, call: ToolCallEntry): ToolCallEntry {
  const id = call.parentKey === undefined ? parentIdOf(call.meta) : undefined;
  const index = id === undefined ? undefined : memory.toolCalls.get(id);
  const parentKey = index === undefined ? call.key : keyAt(index);
  return parentKey === call.key ? call : { ...call, parentKey };
}

type Present<Fields> = { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> };

function present<Fields extends object>(fields: Fields): Present<Fields> {
  const found: Present<Fields> = {};
  for (const key in fields)
    if (fields[key] !== undefined) found[key] = fields[key] as Exclude<Fields[typeof key], undefined>;
  return found;
}

const ends: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled', 'abandoned']);

/** Whether a call in this state has ended. A call in a state that is unknown here still runs. */
export function isEnd(state: ToolCallState): boolean {
  return ends.has(state);
}

/**
 * The next state of a call. A state never goes back: not from an end to an open state, not from running to pending. Later ends from the
 * agent count, with one exception: a call that was cancelled here and that the agent then reports as failed stays cancelled, because the
 * protocol has no other state for it.
 */
function nextState(before: ToolCallState, reported: ToolCallState): ToolCallState {
  if (isEnd(before) && !isEnd(reported)) return before;
  if (reported === 'pending') return before;
  return before === 'cancelled' && reported === 'failed' ? before : reported;
}

function callAt({ entries }: Transcript, index: number): ToolCallEntry | undefined {
  const entry = entries.at(index);
  return entry?.type === 'tool-call' ? entry : undefined;
}

function changedCall(transcript: Transcript, toolCallId: string, changes: Partial<ToolCallEntry>): Transcript {
  const index = transcript.memory.toolCalls.get(toolCallId);
  const call = index === undefined ? undefined : callAt(transcript, index);
  return index === undefined || call === undefined ? transcript : withCall(transcript, index, { ...call, ...changes });
}
