import type { QuestionView } from '@turnwire/permissions';
import { type SessionUpdate, toolCallChanges, type ToolCallUpdate } from '@turnwire/protocol';

/** A tool call as far as it is known. */
export interface ToolCallView {
  readonly id: string;
  readonly title: string;
  readonly kind: NonNullable<ToolCallUpdate['kind']>;
  readonly status: NonNullable<ToolCallUpdate['status']>;
  readonly content: NonNullable<ToolCallUpdate['content']>;
  readonly rawInput?: unknown;
}

/** A tool call before and after an update. */
export interface ToolCallChange {
  readonly before: ToolCallView | undefined;
  readonly now: ToolCallView;
}

/** The tool calls of a turn. Agents announce and update calls in any order: everything is an upsert by id. */
export class ToolCalls {
  readonly #calls = new Map<string, ToolCallView>();
  readonly #announced = new Set<string>();

  /** Merges an update; undefined if it is not about a tool call. A call that is known only from a question has no `before`. */
  take(update: SessionUpdate): ToolCallChange | undefined {
    const isCall = update.sessionUpdate === 'tool_call' || update.sessionUpdate === 'tool_call_update';
    if (!isCall) return undefined;
    const call = update as ToolCallUpdate;
    const before = this.#announced.has(call.toolCallId) ? this.#calls.get(call.toolCallId) : undefined;
    this.#announced.add(call.toolCallId);
    return { before, now: this.merge(call) };
  }

  /** Merges the fields of a call from an update or a permission request. */
  merge(update: ToolCallUpdate): ToolCallView {
    const id = update.toolCallId;
    const known = this.#calls.get(id) ?? { id, title: id, kind: 'other', status: 'pending', content: [] };
    const { title, kind, status, content, rawInput } = { ...known, ...toolCallChanges(update) };
    const now: ToolCallView = { id, title, kind, status, content, ...(rawInput !== undefined && { rawInput }) };
    this.#calls.set(id, now);
    return now;
  }

  /** The call a question is about. If the agent has not announced it, the question is all that is known of it. */
  asked({ toolCallId, summary, agentWords: { title } }: QuestionView): ToolCallView {
    return this.#calls.get(toolCallId) ?? this.merge({ toolCallId, title: title ?? summary });
  }

  /** Clears the calls of a finished turn; returns those that were announced and never finished. */
  clear(): ToolCallView[] {
    const isOpen = ({ id, status }: ToolCallView): boolean =>
      this.#announced.has(id) && (status === 'pending' || status === 'in_progress');
    const open = [...this.#calls.values()].filter(isOpen);
    this.#calls.clear();
    this.#announced.clear();
    return open;
  }
}
