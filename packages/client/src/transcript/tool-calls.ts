import { type RequestPermissionRequest, toolCallChanges, type ToolCallUpdate } from '@turnwire/protocol';
import { appended, appendedBeside, keyAt, remember, replaced, type Transcript } from './transcript.ts';
import type { PermissionOutcome } from './transcript-event.ts';
import type { ToolCallEntry, ToolCallState } from './transcript-view.ts';
import { commandOf, parentIdOf, withoutStreams } from './tool-call-data.ts';
import { exitCodeOf, outputAfter, pieceIn } from './tool-call-output.ts';

/** What is told of a tool call, and how. */
export interface ToldCall {
  readonly call: ToolCallUpdate;
  readonly at: number;
  readonly isReplay: boolean;
  /** `tool_call`: the call begins, if it did not already. */
  readonly isAnnouncement: boolean;
}

/** Takes in what is said of a tool call. Whatever says it first makes the entry: agents announce, change and ask in any order. */
export function withToolCall(transcript: Transcript, told: ToldCall): Transcript {
  const place = placeOf(transcript, told);
  const known = place === undefined ? undefined : callAt(transcript, place);
  if (place === undefined || known === undefined) return withNewCall(transcript, told);
  return withStream(replaced(transcript, place, merged(transcript, known, told)), known.key, told);
}

/** Remembers that the output of a call comes in pieces. */
function withStream(transcript: Transcript, key: string, { call }: ToldCall): Transcript {
  const { streamed } = transcript.memory;
  const isNews = pieceIn(call['_meta']) !== undefined && streamed.get(key) === undefined;
  return isNews ? remember(transcript, { streamed: streamed.with(key, 1) }) : transcript;
}

/** The agent asks: what it says of the call is news of the call like any other. */
export function withQuestion(transcript: Transcript, { toolCall }: RequestPermissionRequest, at: number): Transcript {
  const told = withToolCall(transcript, { call: toolCall, at, isReplay: false, isAnnouncement: false });
  return changedCall(told, toolCall.toolCallId, { permission: { state: 'asked' } });
}

export function withAnswer(transcript: Transcript, outcome: PermissionOutcome, at: number): Transcript {
  return changedCall(transcript, outcome.toolCallId, { permission: { state: 'answered', ...outcome }, answeredAt: at });
}

/** Marks a call that did something unasked. One that was never told of is remarked on instead, so that the user sees it. */
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

/** Ends every call that is still open: the turn is over, or is being cancelled. Looks only at what came since the last time, and at the turn. */
export function settled(transcript: Transcript, state: 'cancelled' | 'abandoned', at: number): Transcript {
  const { settledUpTo, turnStart } = transcript.memory;
  let next = transcript;
  for (let place = Math.min(settledUpTo, turnStart); place < transcript.entries.length; place++) {
    const call = callAt(transcript, place);
    if (call !== undefined && isUnsettled(call)) next = replaced(next, place, ended(call, state, at));
  }
  return remember(next, { settledUpTo: transcript.entries.length });
}

function isUnsettled({ state, permission }: ToolCallEntry): boolean {
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

/** Where the call is. An announcement of one that ended in an earlier turn is of another call, by an agent that counts anew. */
function placeOf({ memory, entries, turnId }: Transcript, { call, isAnnouncement }: ToldCall): number | undefined {
  const place = memory.toolCalls.get(call.toolCallId);
  if (place === undefined || place < memory.sessionStart) return undefined;
  const isOld = isAnnouncement && turnId !== undefined && place < memory.turnStart;
  const entry = entries.at(place);
  return isOld && entry?.type === 'tool-call' && isEnd(entry.state) ? undefined : place;
}

function withNewCall(transcript: Transcript, told: ToldCall): Transcript {
  const place = transcript.entries.length;
  const { key, ...entry } = merged(transcript, blank(told, keyAt(place)), told);
  const toolCalls = transcript.memory.toolCalls.with(told.call.toolCallId, place);
  return withStream(remember(appended(transcript, entry), { toolCalls }), key, told);
}

function blank({ call: { toolCallId }, at, isReplay }: ToldCall, key: string): ToolCallEntry {
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

function merged(transcript: Transcript, entry: ToolCallEntry, { call, at }: ToldCall): ToolCallEntry {
  const isStreamed = transcript.memory.streamed.get(entry.key) !== undefined;
  const { title, status = entry.state, name, kind, content, locations, rawInput, rawOutput } = toolCallChanges(call);
  const state = nextState(entry.state, status);
  const told = {
    ...{ name, kind, content, locations, rawInput, rawOutput },
    title: title || undefined,
    meta: withoutStreams(entry.meta, call['_meta']),
    command: commandOf(call.rawInput),
    output: outputAfter({ before: entry.output, isStreamed, call, state }),
    exitCode: exitCodeOf(call),
    endedAt: isEnd(state) && state !== entry.state ? at : undefined,
  };
  return withParent(transcript, { ...entry, ...present(told), state });
}

/** The parent may be told of later than the child. */
function withParent({ memory }: Transcript, call: ToolCallEntry): ToolCallEntry {
  const id = call.parentKey === undefined ? parentIdOf(call.meta) : undefined;
  const place = id === undefined ? undefined : memory.toolCalls.get(id);
  const parentKey = place === undefined ? call.key : keyAt(place);
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

function isEnd(state: ToolCallState): boolean {
  return ends.has(state);
}

/**
 * Nothing goes back: not from an end to something open, not from running to pending. What the agent says of an end is believed, also
 * late, except that a call we saw cancelled and the agent then calls failed stays cancelled: the protocol has no other word for it.
 */
function nextState(before: ToolCallState, told: ToolCallState): ToolCallState {
  if (isEnd(before) && !isEnd(told)) return before;
  if (told === 'pending') return before;
  return before === 'cancelled' && told === 'failed' ? before : told;
}

function callAt({ entries }: Transcript, place: number): ToolCallEntry | undefined {
  const entry = entries.at(place);
  return entry?.type === 'tool-call' ? entry : undefined;
}

function changedCall(transcript: Transcript, toolCallId: string, changes: Partial<ToolCallEntry>): Transcript {
  const place = transcript.memory.toolCalls.get(toolCallId);
  const call = place === undefined ? undefined : callAt(transcript, place);
  return place === undefined || call === undefined ? transcript : replaced(transcript, place, { ...call, ...changes });
}
