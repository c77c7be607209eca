import { type SessionUpdate, toolCallChanges, type ToolCallUpdate } from '@turnwire/protocol';

/**
 * The known fields of unfinished tool calls. Agents report a call in parts, and then request permission for it with little more than its id
 * (protocol: Tool Calls).
 */
export class ToolCallFacts {
  #calls: Map<string, ToolCallUpdate> | undefined;

  note(update: SessionUpdate): void {
    if (update.sessionUpdate !== 'tool_call' && update.sessionUpdate !== 'tool_call_update') return;
    const { sessionUpdate: _, ...call } = update as ToolCallUpdate & { readonly sessionUpdate: string };
    if (/^(?:completed|failed|cancelled)$/.test(call.status ?? '')) this.#calls?.delete(call.toolCallId);
    else this.merge(call);
  }

  /** The known fields of an unfinished call. */
  get(toolCallId: string): ToolCallUpdate | undefined {
    return this.#calls?.get(toolCallId);
  }

  /** Merges a report into the known fields, and returns the whole call. */
  merge(call: ToolCallUpdate): ToolCallUpdate {
    const { toolCallId } = call;
    const merged: ToolCallUpdate = { ...this.#calls?.get(toolCallId), ...toolCallChanges(call), toolCallId };
    (this.#calls ??= new Map()).set(toolCallId, merged);
    return merged;
  }

  /** Forgets all calls except those to keep. */
  clear(isKept: (toolCallId: string) => boolean | undefined): void {
    for (const id of this.#calls?.keys() ?? []) if (!isKept(id)) this.#calls?.delete(id);
  }
}
