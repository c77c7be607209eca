import type { SessionUpdate } from '@turnwire/protocol';
import { withCompaction, withSummaryChunk } from './compactions.ts';
import { withChunk } from './messages.ts';
import { withInfo, withSetup, withTerminal, withUsage } from './session-facts.ts';
import { appendedBeside, type Thread } from './thread.ts';
import type { ThreadEvent } from './thread-event.ts';
import type { ThreadView } from './thread-view.ts';
import { withAnswer, withQuestion, withRanUnasked, withToolCall } from './tool-calls.ts';
import { withBoundary, withCancelRequest, withPlan, withPrompt, withTurnEnd } from './turns.ts';

/**
 * The view after one more event. Pure: the same view and event give the same result, the view before stays as it was, and nothing is
 * frozen, copied whole or thrown. An event costs O(log n) of the entries there are.
 *
 * - Chunks of one message are one entry: those with the same `messageId`, also when tool calls came between; without ids,
 *   neighbours of one kind. Of a turn's user chunks, what repeats the prompt is left out; of a replay nothing is.
 * - Tool calls are put together by id, whoever speaks of them first. An end is never taken back by something open.
 * - What came after its turn has ended is applied too, and opens nothing that was closed.
 * @param view from {@link emptyThread} or from here; no other object will do
 * @throws TypeError if the view is neither
 */
export function reduce(view: ThreadView, event: ThreadEvent): ThreadView {
  return after(ours(view), event);
}

/** {@link reduce}, one event after the other. */
export function reduceAll(view: ThreadView, events: Iterable<ThreadEvent>): ThreadView {
  let thread = ours(view);
  for (const event of events) thread = after(thread, event);
  return thread;
}

function ours(view: ThreadView): Thread {
  if (!('memory' in view))
    throw new TypeError('This view was not made by emptyThread() or reduce(); begin with one that was');
  return view as Thread;
}

function after(thread: Thread, event: ThreadEvent): Thread {
  switch (event.type) {
    case 'update':
      return withUpdate(thread, event.update, { at: event.at, isReplay: event.isReplay ?? false });
    case 'prompt':
      return withPrompt(thread, event);
    case 'setup':
      return withSetup(thread, event);
    case 'terminal':
      return withTerminal(thread, event.snapshot);
    case 'remark':
      return withRemark(thread, event);
    default:
      return afterChange(thread, event);
  }
}

type Change = Exclude<ThreadEvent, { type: 'update' | 'prompt' | 'setup' | 'terminal' | 'remark' }>;

/** Changes of what is there: of a call by a permission, of everything by an end. */
function afterChange(thread: Thread, event: Change): Thread {
  switch (event.type) {
    case 'permission-asked':
      return withQuestion(thread, event.request, event.at);
    case 'permission-answered':
      return withAnswer(thread, event.outcome, event.at);
    case 'ran-unasked':
      return withRanUnasked(thread, event);
    case 'cancel-requested':
      return withCancelRequest(thread, event.turnId, event.at);
    case 'turn-ended':
      return withTurnEnd(thread, { ...event, ending: { stopReason: event.stopReason } });
    case 'turn-failed':
      return withTurnEnd(thread, { ...event, ending: { error: event.message } });
    case 'boundary':
      return withBoundary(thread, event);
  }
}

interface Arrival {
  readonly at: number;
  readonly isReplay: boolean;
}

function withUpdate(thread: Thread, update: SessionUpdate, arrival: Arrival): Thread {
  switch (update.sessionUpdate) {
    case 'agent_message_chunk':
      return withChunk(thread, { type: 'agent', chunk: update, ...arrival });
    case 'agent_thought_chunk':
      return withChunk(thread, { type: 'thought', chunk: update, ...arrival });
    case 'user_message_chunk':
      return withChunk(thread, { type: 'user', chunk: update, ...arrival });
    case 'tool_call':
      return withToolCall(thread, { call: update, isAnnouncement: true, ...arrival });
    case 'tool_call_update':
      return withToolCall(thread, { call: update, isAnnouncement: false, ...arrival });
    case 'plan':
      return withPlan(thread, update.entries, arrival.at);
    default:
      return withNews(thread, update, arrival);
  }
}

type News = Exclude<
  SessionUpdate,
  { sessionUpdate: `${'agent' | 'user'}_${'message' | 'thought'}_chunk` | 'tool_call' | 'tool_call_update' | 'plan' }
>;

/** What is not said in the conversation, but about it. */
function withNews(thread: Thread, update: News, { at }: Arrival): Thread {
  switch (update.sessionUpdate) {
    case 'available_commands_update':
      return { ...thread, commands: update.availableCommands };
    case 'current_mode_update':
      return { ...thread, currentModeId: update.currentModeId };
    case 'config_option_update':
      return { ...thread, configOptions: update.configOptions };
    case 'session_info_update':
      return withInfo(thread, update);
    case 'usage_update':
      return withUsage(thread, update);
    case 'notice':
      return withRemark(thread, { ...update, at, from: 'agent' });
    case 'compaction_update':
      return withCompaction(thread, update, at);
    case 'compaction_summary_chunk':
      return withSummaryChunk(thread, update, at);
    default:
      return appendedBeside(thread, { type: 'unknown', at, update });
  }
}

interface Remark {
  readonly at: number;
  readonly severity: string;
  readonly title: string;
  readonly description?: string | null | undefined;
  readonly from?: 'agent' | 'client';
}

function withRemark(thread: Thread, { at, severity, title, description, from = 'client' }: Remark): Thread {
  const more = typeof description === 'string' ? { description } : {};
  return appendedBeside(thread, { type: 'notice', at, severity, title, ...more, from });
}
