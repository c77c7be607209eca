import type {
  ClientCapabilities,
  ContentBlock,
  PlanEntry,
  SessionUpdate,
  ToolCallContent,
  ToolCallUpdate,
} from '../generated/types.ts';
import { shownOptions } from './shown-options.ts';

const statuses: ReadonlySet<unknown> = new Set(['pending', 'in_progress', 'completed', 'failed', null, undefined]);
const kinds: ReadonlySet<unknown> = new Set([
  ...['read', 'edit', 'delete', 'move', 'search', 'execute', 'think', 'fetch', 'switch_mode', 'other'],
  ...[null, undefined],
]);
const blocks: ReadonlySet<string> = new Set(['text', 'image', 'audio', 'resource_link', 'resource']);
const priorities: ReadonlySet<string> = new Set(['high', 'medium', 'low']);
const progress: ReadonlySet<string> = new Set(['pending', 'in_progress', 'completed']);

/** The updates of version 2 that version 1 does not have. */
const onlyVersion2: ReadonlySet<string> = new Set([
  ...['user_message', 'agent_message', 'agent_thought', 'state_update', 'replay_complete'],
  ...['tool_call_content_chunk', 'terminal_update', 'terminal_output_chunk'],
]);

/**
 * An update as version 1 of the protocol defines it: the same object, unless an agent of version 2 has sent values that version 1 does not
 * have. Undefined: it is not for this client, or version 1 cannot express it. Kinds that neither version defines are passed on.
 */
export function plainUpdate(update: SessionUpdate, capabilities: ClientCapabilities): SessionUpdate | undefined {
  switch (update.sessionUpdate) {
    case 'user_message_chunk':
    case 'agent_message_chunk':
    case 'agent_thought_chunk':
      return isKnownBlock(update.content) ? update : undefined;
    case 'tool_call':
    case 'tool_call_update':
      return plainCall(update as ToolCallUpdate) as SessionUpdate;
    case 'plan':
      return plainPlan(update);
    case 'plan_update':
    case 'plan_removed':
      return plainPlanUpdate(update, capabilities);
    case 'config_option_update':
      return { ...update, configOptions: shownOptions(update.configOptions, capabilities) };
    default:
      return isFor(update, capabilities) ? update : undefined;
  }
}

/** Whether a client has announced that it reads this kind of update, for kinds that need it. */
function isFor({ sessionUpdate }: SessionUpdate, { session, ...capabilities }: ClientCapabilities): boolean {
  const { subagents } = capabilities as { readonly subagents?: object | null };
  switch (sessionUpdate as string) {
    case 'notice':
      return isMarked(session?.notices);
    case 'compaction_update':
    case 'compaction_summary_chunk':
      return isMarked(session?.compaction);
    case 'subagent_update':
    case 'session_message':
    case 'session_message_chunk':
      return isMarked(subagents);
    default:
      return !onlyVersion2.has(sessionUpdate);
  }
}

function isMarked(marker: object | null | undefined): boolean {
  return marker !== undefined && marker !== null;
}

/** A tool call as version 1 defines it. A cancelled call has failed, and none can be cancelled separately. */
export function plainCall<Call extends ToolCallUpdate>(call: Call): Call {
  const { status, kind, content } = call;
  const isPlain = statuses.has(status) && kinds.has(kind) && (content?.every(isKnownContent) ?? true);
  if (isPlain && !('capabilities' in call)) return call;
  const { capabilities: _, ...fields } = call as Call & { readonly capabilities?: unknown };
  return {
    ...(fields as Call),
    ...(!statuses.has(status) && { status: (status as string) === 'cancelled' ? 'failed' : 'in_progress' }),
    ...(!kinds.has(kind) && { kind: 'other' }),
    ...(content && { content: content.filter(isKnownContent) }),
  };
}

function isKnownContent(item: ToolCallContent): boolean {
  return item.type === 'content' ? isKnownBlock(item.content) : item.type === 'diff' || item.type === 'terminal';
}

function isKnownBlock({ type }: ContentBlock): boolean {
  return blocks.has(type);
}

/** Clients that know no plans with ids get the entries as their only plan. Undefined: it has no entries. */
function plainPlanUpdate(
  update: SessionUpdate & { readonly sessionUpdate: 'plan_update' | 'plan_removed' },
  capabilities: ClientCapabilities,
): SessionUpdate | undefined {
  const knowsIds = isMarked(capabilities.plan);
  if (update.sessionUpdate === 'plan_removed') return knowsIds ? update : { sessionUpdate: 'plan', entries: [] };
  if (update.plan.type !== 'items') return knowsIds ? update : undefined;
  const { entries } = update.plan as { readonly entries: readonly PlanEntry[] };
  if (!knowsIds) return plainPlan({ sessionUpdate: 'plan', entries });
  if (entries.every(isKnownEntry)) return update;
  return { ...update, plan: { ...update.plan, entries: entries.map(plainEntry) } };
}

function plainPlan(plan: SessionUpdate & { readonly sessionUpdate: 'plan' }): SessionUpdate {
  return plan.entries.every(isKnownEntry) ? plan : { ...plan, entries: plan.entries.map(plainEntry) };
}

function isKnownEntry({ priority, status }: PlanEntry): boolean {
  return priorities.has(priority) && progress.has(status);
}

function plainEntry(entry: PlanEntry): PlanEntry {
  return {
    ...entry,
    priority: priorities.has(entry.priority) ? entry.priority : 'medium',
    status: progress.has(entry.status) ? entry.status : 'in_progress',
  };
}
