import { type MergedCall, withReport, type ToolCallEntry, type TranscriptEvent } from '@turnwire/client/transcript';
import type { QuestionView } from '@turnwire/permissions';
import type { SessionUpdate, ToolCallUpdate } from '@turnwire/protocol';

/** The known state of a tool call. */
export interface ToolCallView extends ToolCallEntry {
  /** Its output so far: as reported by the agent, or from one of our terminals. */
  readonly printed: string;
}

/** A tool call before and after an update. */
export interface ToolCallChange {
  readonly before: ToolCallView | undefined;
  readonly now: ToolCallView;
}

/** The tool calls of a turn. Agents announce and update calls in any order: everything is an upsert by id. */
export class ToolCalls {
  readonly #calls = new Map<string, MergedCall>();
  readonly #announced = new Set<string>();
  /** The outputs of terminals by their ids. */
  readonly #terminals = new Map<string, string>();

  /** Merges an update; undefined if it is not about a tool call. A call known only from a permission request has no `before`. */
  take(update: SessionUpdate): ToolCallChange | undefined {
    if (update.sessionUpdate !== 'tool_call' && update.sessionUpdate !== 'tool_call_update') return undefined;
    const { toolCallId: id } = update;
    const before = this.#announced.has(id) ? this.#find(id) : undefined;
    this.#announced.add(id);
    return { before, now: this.#merged(update) };
  }

  /** Merges the output of a terminal. Returns the announced calls that show the terminal. */
  terminal({
    snapshot: { terminalId, output },
  }: TranscriptEvent & { readonly type: 'terminal' }): readonly ToolCallChange[] {
    const shown = this.#announcedCalls().filter(({ content }) =>
      content.some((item) => item.type === 'terminal' && 'terminalId' in item && item.terminalId === terminalId),
    );
    const before = shown.map((call) => this.#view(call));
    this.#terminals.set(terminalId, output);
    return shown.map((call, at) => ({ before: before[at], now: this.#view(call) }));
  }

  /** Merges the call of a permission request: some agents send its title only there. This also applies if a rule answers the request. */
  permissionAsked(toolCall: ToolCallUpdate): void {
    this.#merged(toolCall);
  }

  /** The call of a question. If the agent has not announced it, it is created from the question. */
  asked({ toolCallId, summary, agentWords: { title } }: QuestionView): ToolCallView {
    return this.#find(toolCallId) ?? this.#merged({ toolCallId, title: title ?? summary });
  }

  /** Clears the calls of a finished turn and returns those that were announced but not finished. */
  clear(): ToolCallView[] {
    const open = this.#announcedCalls().filter(({ state }) => state === 'pending' || state === 'in_progress');
    const views = open.map((call) => this.#view(call));
    this.#calls.clear();
    this.#announced.clear();
    this.#terminals.clear();
    return views;
  }

  #merged(call: ToolCallUpdate): ToolCallView {
    const merged = withReport(this.#calls.get(call.toolCallId), { call, at: Date.now(), isReplay: false });
    this.#calls.set(call.toolCallId, merged);
    return this.#view(merged.entry);
  }

  #announcedCalls(): readonly ToolCallEntry[] {
    return [...this.#calls.values()].flatMap(({ entry }) => (this.#announced.has(entry.toolCallId) ? [entry] : []));
  }

  #find(id: string): ToolCallView | undefined {
    const known = this.#calls.get(id);
    return known && this.#view(known.entry);
  }

  #view(call: ToolCallEntry): ToolCallView {
    const shown = call.content.flatMap((item) =>
      item.type === 'terminal' && 'terminalId' in item ? [this.#terminals.get(String(item.terminalId)) ?? ''] : [],
    );
    if (shown.length === 0) return { ...call, printed: call.output ?? '' };
    // Text next to a terminal comes first, because the output of the terminal grows. Some agents repeat that output in the text.
    const printed = shown.join('\n');
    const texts = call.content.flatMap((item) =>
      item.type === 'content' && item.content.type === 'text' ? [item.content.text.trim()] : [],
    );
    const others = texts.filter((text) => text !== '' && !printed.includes(text));
    return { ...call, printed: [...others, printed].filter((text) => text !== '').join('\n') };
  }
}
