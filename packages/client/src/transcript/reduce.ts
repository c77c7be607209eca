import type { SessionUpdate, UnknownVariant } from '@turnwire/protocol';
import type { StateUpdate, TerminalUpdate } from '@turnwire/protocol/v2';
import { type ChildEvent, withChild, withChildEvent } from './children.ts';
import { withCompaction, withSummaryChunk } from './compactions.ts';
import { type WholeMessage, withChunk, withWholeMessage } from './messages.ts';
import { withoutPlan, withPlan, withPlanUpdate } from './plans.ts';
import { withAgentTerminal, withBackground, withInfo, withSetup, withTerminal, withUsage } from './session-facts.ts';
import { withSessionMessage, withSessionMessageChunk } from './session-messages.ts';
import { appendedBeside, type Transcript } from './transcript.ts';
import type { TranscriptEvent } from './transcript-event.ts';
import type { TranscriptView } from './transcript-view.ts';
import { withAnswer, withQuestion, withRanUnasked, withToolCall } from './tool-calls.ts';
import { withBoundary, withCancelRequest, withPrompt, withTurnEnd } from './turns.ts';

/**
 * Returns the view after one more event. Pure: the same view and event give the same result, the old view stays unchanged, and nothing is
 * frozen, copied whole or thrown. An event costs O(log n) of the number of entries.
 *
 * - Chunks of one message are one entry: those with the same `messageId`, also when tool calls came in between; without ids, neighbours of
 *   one kind. User chunks that repeat the prompt of a turn are left out; those of a replay are not.
 * - Tool calls are merged by id, whichever report comes first. A finished call is never reopened.
 * - Events of a child session change its transcript, inside its entry.
 * - Updates after the end of their turn are applied too, and reopen nothing.
 * @param view from {@link emptyTranscript} or from here; other objects are not supported
 * @throws TypeError if the view is neither
 */
export function reduce(view: TranscriptView, event: TranscriptEvent): TranscriptView {
  return after(ours(view), event);
}

/** {@link reduce} for several events. */
export function reduceAll(view: TranscriptView, events: Iterable<TranscriptEvent>): TranscriptView {
  let transcript = ours(view);
  for (const event of events) transcript = after(transcript, event);
  return transcript;
}

function ours(view: TranscriptView): Transcript {
  if (!('memory' in view))
    throw new TypeError('This view was not created by emptyTranscript() or reduce(); start with one that was');
  return view as Transcript;
}

function after(transcript: Transcript, event: TranscriptEvent): Transcript {
  if ('child' in event && event.child !== undefined) return withChildEvent(transcript, event as ChildEvent, after);
  switch (event.type) {
    case 'update':
      return withUpdate(transcript, event.update, { at: event.at, isReplay: event.isReplay ?? false });
    case 'prompt':
      return withPrompt(transcript, event);
    case 'setup':
      return withSetup(transcript, event);
    case 'terminal':
      return withTerminal(transcript, event.snapshot);
    case 'remark':
      return withRemark(transcript, event);
    case 'child-update':
      return transcript;
    default:
      return afterChange(transcript, event);
  }
}

type Change = Exclude<
  TranscriptEvent,
  { type: 'update' | 'child-update' | 'prompt' | 'setup' | 'terminal' | 'remark' }
>;

/** Applies events that change existing entries: a permission changes a call, and an end changes everything. */
function afterChange(transcript: Transcript, event: Change): Transcript {
  switch (event.type) {
    case 'permission-asked':
      return withQuestion(transcript, event.request, event.at);
    case 'permission-answered':
      return withAnswer(transcript, event.outcome, event.at);
    case 'ran-unasked':
      return withRanUnasked(transcript, event);
    case 'cancel-requested':
      return withCancelRequest(transcript, event.turnId, event.at);
    case 'turn-ended':
      return withTurnEnd(transcript, { ...event, ending: { stopReason: event.stopReason } });
    case 'turn-failed':
      return withTurnEnd(transcript, { ...event, ending: { error: event.message } });
    case 'boundary':
      return withBoundary(transcript, event);
  }
}

interface Arrival {
  readonly at: number;
  readonly isReplay: boolean;
}

function withUpdate(transcript: Transcript, update: SessionUpdate, arrival: Arrival): Transcript {
  switch (update.sessionUpdate) {
    case 'agent_message_chunk':
      return withChunk(transcript, { type: 'agent', chunk: update, ...arrival });
    case 'agent_thought_chunk':
      return withChunk(transcript, { type: 'thought', chunk: update, ...arrival });
    case 'user_message_chunk':
      return withChunk(transcript, { type: 'user', chunk: update, ...arrival });
    case 'tool_call':
      return withToolCall(transcript, { call: update, isAnnouncement: true, ...arrival });
    case 'tool_call_update':
      return withToolCall(transcript, { call: update, isAnnouncement: false, ...arrival });
    case 'plan':
      return withPlan(transcript, update.entries, arrival.at);
    case 'plan_update':
      return withPlanUpdate(transcript, update, arrival.at);
    case 'plan_removed':
      return withoutPlan(transcript, update.planId, arrival.at);
    default:
      return withNews(transcript, update, arrival);
  }
}

type News = Exclude<
  SessionUpdate,
  {
    sessionUpdate:
      | `${'agent' | 'user'}_${'message' | 'thought'}_chunk`
      | `tool_call${'' | '_update'}`
      | `plan${'' | '_update' | '_removed'}`;
  }
>;

/** Applies updates about the conversation that are not part of it. */
function withNews(transcript: Transcript, update: News, { at }: Arrival): Transcript {
  switch (update.sessionUpdate) {
    case 'available_commands_update':
      return { ...transcript, commands: update.availableCommands };
    case 'current_mode_update':
      return { ...transcript, currentModeId: update.currentModeId };
    case 'config_option_update':
      return { ...transcript, configOptions: update.configOptions };
    case 'session_info_update':
      return withInfo(transcript, update);
    case 'usage_update':
      return withUsage(transcript, update);
    case 'notice':
      return withRemark(transcript, { ...update, at, from: 'agent' });
    case 'compaction_update':
      return withCompaction(transcript, update, at);
    case 'compaction_summary_chunk':
      return withSummaryChunk(transcript, update, at);
    case 'subagent_update':
      return withChild(transcript, update, at);
    case 'session_message':
      return withSessionMessage(transcript, update, at);
    case 'session_message_chunk':
      return withSessionMessageChunk(transcript, update, at);
    default:
      return withVersion2(transcript, update, at);
  }
}

/** Applies updates that only version 2 has. */
function withVersion2(transcript: Transcript, update: UnknownVariant<'sessionUpdate'>, at: number): Transcript {
  switch (update.sessionUpdate as string) {
    case 'state_update':
      return withBackground(transcript, update as unknown as StateUpdate);
    case 'terminal_update':
      return withAgentTerminal(transcript, update as unknown as TerminalUpdate);
    case 'user_message':
      return withWholeMessage(transcript, 'user', update as unknown as WholeMessage);
    case 'agent_message':
      return withWholeMessage(transcript, 'agent', update as unknown as WholeMessage);
    case 'agent_thought':
      return withWholeMessage(transcript, 'thought', update as unknown as WholeMessage);
    default:
      return appendedBeside(transcript, { type: 'unknown', at, update });
  }
}

interface Remark {
  readonly at: number;
  readonly severity: string;
  readonly title: string;
  readonly description?: string | null | undefined;
  readonly from?: 'agent' | 'client';
}

function withRemark(transcript: Transcript, { at, severity, title, description, from = 'client' }: Remark): Transcript {
  const more = typeof description === 'string' ? { description } : {};
  return appendedBeside(transcript, { type: 'notice', at, severity, title, ...more, from });
}
