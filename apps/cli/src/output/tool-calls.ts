import { emptyTranscript, reduce, type ToolCallEntry, type TranscriptEvent } from '@turnwire/client/transcript';
import { isCallOver } from '@turnwire/client/view';
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
  /** A transcript that contains only tool calls and terminals. */
  #transcript = emptyTranscript();
  readonly #announced = new Set<string>();

  /** Merges an update; undefined if it is not about a tool call. A call known only from a permission request has no `before`. */
  take(update: SessionUpdate): ToolCallChange | undefined {
    const isCall = update.sessionUpdate === 'tool_call' || update.sessionUpdate === 'tool_call_update';
    if (!isCall) return undefined;
    const id = (update as ToolCallUpdate).toolCallId;
    const before = this.#announced.has(id) ? this.#find(id) : undefined;
    this.#announced.add(id);
    this.#add({ at: Date.now(), type: 'update', update });
    return { before, now: this.#find(id) as ToolCallView };
  }

  /** Merges the output of a terminal. Returns the announced calls that show the terminal. */
  terminal(event: TranscriptEvent & { readonly type: 'terminal' }): readonly ToolCallChange[] {
    const { terminalId } = event.snapshot;
    const shows = ({ toolCallId, content }: ToolCallEntry): boolean =>
      this.#announced.has(toolCallId) &&
      content.some((item) => item.type === 'terminal' && 'terminalId' in item && item.terminalId === terminalId);
    const before = this.#all().filter(shows);
    this.#add(event);
    return before.map((call) => ({ before: call, now: this.#find(call.toolCallId) as ToolCallView }));
  }

  /** Merges the call of a permission request: some agents send its title only there. This also applies if a rule answers the request. */
  permissionAsked(toolCall: ToolCallUpdate): void {
    this.#add({ at: Date.now(), type: 'update', update: { ...toolCall, sessionUpdate: 'tool_call_update' } });
  }

  /** The call of a question. If the agent has not announced it, it is created from the question. */
  asked({ toolCallId, summary, agentWords: { title } }: QuestionView): ToolCallView {
    const known = this.#find(toolCallId);
    if (known) return known;
    const update = { sessionUpdate: 'tool_call_update' as const, toolCallId, title: title ?? summary };
    this.#add({ at: Date.now(), type: 'update', update });
    return this.#find(toolCallId) as ToolCallView;
  }

  /** Clears the calls of a finished turn and returns those that were announced but not finished. */
  clear(): ToolCallView[] {
    const open = this.#all().filter((call) => this.#announced.has(call.toolCallId) && !isCallOver(call));
    this.#transcript = emptyTranscript();
    this.#announced.clear();
    return open;
  }

  #add(event: TranscriptEvent): void {
    this.#transcript = reduce(this.#transcript, event);
  }

  #all(): readonly ToolCallView[] {
    return [...this.#transcript.entries].flatMap((entry) => (entry.type === 'tool-call' ? [this.#view(entry)] : []));
  }

  #find(id: string): ToolCallView | undefined {
    const index = this.#transcript.toolCallIndex(id);
    const entry = index === undefined ? undefined : this.#transcript.entries.at(index);
    return entry?.type === 'tool-call' ? this.#view(entry) : undefined;
  }

  #view(call: ToolCallEntry): ToolCallView {
    const { terminals } = this.#transcript;
    const shown = call.content.flatMap((item) =>
      item.type === 'terminal' && 'terminalId' in item ? [terminals.get(String(item.terminalId))?.output ?? ''] : [],
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
