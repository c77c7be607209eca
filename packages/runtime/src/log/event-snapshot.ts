import type { KnownUpdate } from '@turnwire/client/transcript';
import type { PlacedEvent } from './session-event.ts';
import type { SessionEvent } from '@turnwire/client/gateway';

/** Whether the last update of a kind is part of a snapshot. */
const isKept: Readonly<Record<KnownUpdate | 'state_update', boolean>> = {
  user_message_chunk: false,
  agent_message_chunk: false,
  agent_thought_chunk: false,
  tool_call: false,
  tool_call_update: false,
  plan: true,
  plan_update: true,
  plan_removed: true,
  available_commands_update: true,
  current_mode_update: true,
  config_option_update: true,
  session_info_update: true,
  usage_update: true,
  notice: false,
  compaction_update: false,
  compaction_summary_chunk: false,
  subagent_update: false,
  session_message: false,
  session_message_chunk: false,
  // Only version 2 has it.
  state_update: true,
};

/** The last event of each kind that replaces earlier ones: a client that begins to read after them needs no others. */
export class EventSnapshot {
  readonly #events = new Map<string, PlacedEvent>();

  /** Adds a stored event. */
  add({ epoch, sequence, event }: PlacedEvent): void {
    if (event.type === 'update' && isKept[event.update.sessionUpdate as KnownUpdate] !== true) return;
    if (event.type === 'prompt' && event.into === undefined) this.#events.delete('plan');
    if (event.type === 'turn-ended' || event.type === 'turn-failed') this.#ends(event.turnId);
    const kinds = kindsOf(event);
    if (kinds.length === 0) return;
    // Without its payload, to save memory.
    const last = { epoch, sequence, event };
    for (const kind of kinds) this.#events.set(kind, last);
  }

  /** Adds events that are older than the ones so far, oldest first. */
  addEarlier(events: readonly PlacedEvent[]): void {
    const later = [...this.#events];
    this.#events.clear();
    for (const each of events) this.add(each);
    this.#events.delete('prompt');
    this.#events.delete('plan');
    for (const [kind, each] of later) this.#events.set(kind, each);
  }

  /** Returns the events up to one of the log, oldest first. */
  upTo(sequence: number): readonly SessionEvent[] {
    const found = [...new Set(this.#events.values())].filter((each) => each.sequence <= sequence);
    return found.toSorted((one, other) => one.sequence - other.sequence).map(({ event }) => event);
  }

  #ends(turnId: string): void {
    const begun = this.#events.get('prompt')?.event;
    if (begun?.type === 'prompt' && begun.turnId === turnId) this.#events.delete('prompt');
  }
}

const none: readonly string[] = [];

function kindsOf(event: SessionEvent): readonly string[] {
  if (event.type === 'prompt') return event.into === undefined ? [event.type] : none;
  if (event.type === 'setup') return [event.type];
  if (event.type !== 'update') return none;
  const { update } = event;
  if (update.sessionUpdate === 'plan_update') return [`plan ${update.plan.planId}`];
  if (update.sessionUpdate === 'plan_removed') return [`plan ${update.planId}`];
  if (update.sessionUpdate === 'usage_update') return update.cost ? ['usage_update', 'cost'] : ['usage_update'];
  if (update.sessionUpdate === 'session_info_update') return 'title' in update ? ['title'] : none;
  return [update.sessionUpdate];
}
