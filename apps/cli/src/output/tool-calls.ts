import type { QuestionView } from '@turnwire/permissions';
import type { SessionUpdate, ToolCallUpdate } from '@turnwire/protocol';

/** A tool call as far as it has been told. */
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

/** The tool calls of a turn. Agents announce a call, change it, or do either first: everything is an upsert by id. */
export class ToolCalls {
  readonly #calls = new Map<string, ToolCallView>();
  readonly #announced = new Set<string>();

  /** Takes in an update; undefined if it is not about a tool call. A call that was only asked about has no before. */
  take(update: SessionUpdate): ToolCallChange | undefined {
    const isCall = update.sessionUpdate === 'tool_call' || update.sessionUpdate === 'tool_call_update';
    if (!isCall) return undefined;
    const call = update as ToolCallUpdate;
    const before = this.#announced.has(call.toolCallId) ? this.#calls.get(call.toolCallId) : undefined;
    this.#announced.add(call.toolCallId);
    return { before, now: this.merge(call) };
  }

  /** Takes in what is said of a call, in an update or a permission request. Absent and null leave a field as it is. */
  merge({ toolCallId: id, title, kind, status, content, rawInput }: ToolCallUpdate): ToolCallView {
    const known = this.#calls.get(id) ?? { id, title: id, kind: 'other', status: 'pending', content: [] };
    const told = Object.entries({ title, kind, status, content, rawInput }).filter(
      ([, value]) => value !== undefined && value !== null,
    );
    const now: ToolCallView = { ...known, ...Object.fromEntries(told) };
    this.#calls.set(id, now);
    return now;
  }

  /** The call a question is about. Agents ask about calls they have not announced: what it is called is then known by the question alone. */
  asked({ toolCallId, summary, agentWords: { title } }: QuestionView): ToolCallView {
    return this.#calls.get(toolCallId) ?? this.merge({ toolCallId, title: title ?? summary });
  }

  /** Forgets the calls of a turn that is over; returns those that were announced and never finished. */
  clear(): ToolCallView[] {
    const isOpen = ({ id, status }: ToolCallView): boolean =>
      this.#announced.has(id) && (status === 'pending' || status === 'in_progress');
    const open = [...this.#calls.values()].filter(isOpen);
    this.#calls.clear();
    this.#announced.clear();
    return open;
  }
}
