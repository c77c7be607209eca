import { type SessionUpdate, type ToolCall, toolCallChanges, type ToolCallUpdate } from '@turnwire/protocol';
import type { SessionEntry } from './session-store.ts';

/** A session's history and its latest state. */
export interface History {
  /** Updates to replay to the client, in order. Nothing in them is still in progress. */
  readonly updates: readonly SessionUpdate[];
  /** The updates of the sessions that this one started, by id. */
  readonly children: ReadonlyMap<string, readonly SessionUpdate[]>;
  readonly kept: readonly unknown[];
  /** Undefined: no entry has one; null: it was removed. */
  readonly title: string | null | undefined;
  readonly modeId: string | undefined;
  readonly values: ReadonlyMap<string, string | boolean>;
  /** The prompts that have a key, by that key. */
  readonly keyed: ReadonlyMap<string, KeyedPrompt>;
}

/** A prompt of the conversation that the client may send again. */
export type KeyedPrompt = Pick<Extract<SessionEntry, { readonly type: 'prompt' }>, 'messageId' | 'prompt'>;

/** Builds the history from the entries, in one pass. */
export function readHistory(entries: readonly SessionEntry[]): History {
  const replay = new Replay();
  const children = new Map<string, Replay>();
  const kept: unknown[] = [];
  const values = new Map<string, string | boolean>();
  const keyed = new Map<string, KeyedPrompt>();
  let title: string | null | undefined;
  let modeId: string | undefined;
  for (const entry of entries) {
    if (entry.type === 'kept') kept.push(entry.value);
    else if (entry.type === 'option') values.set(entry.id, entry.value);
    else if (entry.type === 'mode') modeId = entry.modeId;
    else if (entry.type === 'child') {
      const child = children.get(entry.sessionId) ?? new Replay();
      children.set(entry.sessionId, child);
      child.take({ type: 'update', update: entry.update });
    } else replay.take(entry);
    if (entry.type === 'prompt' && entry.idempotencyKey !== undefined) keyed.set(entry.idempotencyKey, entry);
    if (entry.type === 'title' || entry.type === 'end') title = entry.title;
  }
  const histories = new Map([...children].map(([sessionId, child]) => [sessionId, child.updates()]));
  return { updates: replay.updates(), children: histories, kept, title, modeId, values, keyed };
}

/**
 * The entries to append to a session whose last turn was interrupted: a message for the user, and the end of the turn. Empty if the turn
 * has ended.
 */
export function interruption(entries: readonly SessionEntry[]): readonly SessionEntry[] {
  const begun = entries.findLastIndex(({ type }) => type === 'prompt');
  const ended = entries.findLastIndex(({ type }) => type === 'end');
  if (ended >= begun) return [];
  const named = entries.findLast((entry) => entry.type === 'title' || entry.type === 'end');
  return [
    {
      type: 'update',
      update: {
        sessionUpdate: 'agent_message_chunk',
        messageId: crypto.randomUUID(),
        content: { type: 'text', text: 'The turn was interrupted: the agent ended before its answer was complete.' },
      },
    },
    { type: 'end', stopReason: 'interrupted', title: named?.title ?? null },
  ];
}

type Call = { readonly sessionUpdate: 'tool_call' } & ToolCall;

/** Builds the updates that a client gets when a session is loaded. */
class Replay {
  readonly #updates: (SessionUpdate | undefined)[] = [];
  readonly #calls = new Map<string, number>();
  readonly #children = new Map<string, number>();
  #plan: number | undefined;
  #usage: SessionUpdate | undefined;

  take(entry: SessionEntry): void {
    if (entry.type === 'prompt') {
      this.#plan = undefined;
      const { messageId } = entry;
      for (const content of entry.prompt)
        this.#updates.push({ sessionUpdate: 'user_message_chunk', messageId, content });
    } else if (entry.type === 'update') this.#update(entry.update);
  }

  updates(): readonly SessionUpdate[] {
    const updates = this.#updates.filter((update) => update !== undefined).map(settled);
    return this.#usage === undefined ? updates : [...updates, this.#usage];
  }

  #update(update: SessionUpdate): void {
    switch (update.sessionUpdate) {
      case 'agent_message_chunk':
      case 'agent_thought_chunk':
        return this.#text(update);
      case 'tool_call':
        this.#calls.set(update.toolCallId, this.#updates.push(withoutTerminals(update)) - 1);
        return;
      case 'tool_call_update':
        return this.#change(update);
      case 'plan':
        // Only the last plan of a turn counts.
        if (this.#plan !== undefined) this.#updates[this.#plan] = undefined;
        this.#plan = this.#updates.push(update) - 1;
        return;
      case 'subagent_update':
        return this.#child(update);
      case 'usage_update':
        this.#usage = update;
        return;
      default:
        this.#updates.push(update);
    }
  }

  #text(
    update: Extract<SessionUpdate, { readonly sessionUpdate: 'agent_message_chunk' | 'agent_thought_chunk' }>,
  ): void {
    const last = this.#updates.at(-1);
    const joined =
      last?.sessionUpdate === update.sessionUpdate &&
      last.messageId === update.messageId &&
      !update._meta &&
      !last._meta;
    if (joined && plainText(last.content) !== undefined && plainText(update.content) !== undefined) {
      const text = `${plainText(last.content)}${plainText(update.content)}`;
      this.#updates[this.#updates.length - 1] = { ...last, content: { type: 'text', text } };
    } else this.#updates.push(update);
  }

  #child(update: Extract<SessionUpdate, { readonly sessionUpdate: 'subagent_update' }>): void {
    const at = this.#children.get(update.sessionId) ?? this.#updates.length;
    this.#children.set(update.sessionId, at);
    this.#updates[at] = { ...this.#updates[at], ...update };
  }

  #change({ sessionUpdate: _, ...change }: { readonly sessionUpdate: 'tool_call_update' } & ToolCallUpdate): void {
    const at = this.#calls.get(change.toolCallId);
    const call = at === undefined ? undefined : this.#updates[at];
    if (at === undefined || call === undefined) return;
    this.#updates[at] = withoutTerminals({ ...call, ...toolCallChanges(change) } as Call);
  }
}

/** A call that was open when its agent ended, or whose end was lost, has failed, and a child session does not work any more. */
function settled(update: SessionUpdate): SessionUpdate {
  if (update.sessionUpdate === 'subagent_update' && update.state?.state !== 'idle')
    return { ...update, capabilities: null, state: { state: 'idle', stopReason: 'cancelled' } };
  if (update.sessionUpdate !== 'tool_call' || update.status === 'completed' || update.status === 'failed')
    return update;
  const why = { type: 'content', content: { type: 'text', text: 'Interrupted before it completed.' } } as const;
  return { ...update, status: 'failed', content: [...(update.content ?? []), why] };
}

/** A terminal of an earlier connection cannot be shown any more; its output was stored if it was known. */
function withoutTerminals(call: Call): Call {
  if (!call.content?.some(({ type }) => type === 'terminal')) return call;
  const lost = {
    type: 'content',
    content: { type: 'text', text: 'The output of the terminal was not stored.' },
  } as const;
  return { ...call, content: call.content.map((item) => (item.type === 'terminal' ? lost : item)) };
}

/** The text of content without other fields. */
function plainText(content: { readonly type: string }): string | undefined {
  const { type, text, ...more } = content as { readonly type: string; readonly text?: string };
  return type === 'text' && Object.keys(more).length === 0 ? text : undefined;
}
