import type { SessionUpdate, ToolCallContent, ToolCallUpdate } from '@turnwire/protocol';

/** What is to be stored of a call that is not over. */
interface OpenCall {
  changes: ToolCallUpdate;
  /** Runs while changes wait to be stored. */
  timer: NodeJS.Timeout | undefined;
  /** Milliseconds the next changes may wait. */
  patience: number;
}

/** Milliseconds changes may wait to be stored: less at first, more the longer the call continues. */
const shortest = 100;
const longest = 10_000;

/**
 * What to store of tool calls between their announcement and their end: all that changed so far, at growing intervals, so that a
 * call that shows its progress for an hour does not fill the disk, and one that is killed shows most of what it had shown.
 */
export class OpenCalls {
  readonly #write: (update: SessionUpdate) => void;
  readonly #calls = new Map<string, OpenCall>();
  readonly #terminals = new Map<string, string>();

  constructor(write: (update: SessionUpdate) => void) {
    this.#write = write;
  }

  change(change: ToolCallUpdate): void {
    const { toolCallId, status } = change;
    const call: OpenCall = this.#calls.get(toolCallId) ?? { changes: change, timer: undefined, patience: shortest };
    call.changes = { ...call.changes, ...change };
    if (status === 'completed' || status === 'failed') return this.#ended(call);
    this.#calls.set(toolCallId, call);
    this.#schedule(call);
  }

  /** What a terminal shows by now, which takes its place in what is stored: whoever loads the session cannot look at it any more. */
  terminalShowed(terminalId: string, output: string): void {
    this.#terminals.set(terminalId, output);
    for (const call of this.#calls.values())
      if (call.changes.content?.some((item) => item.type === 'terminal' && item.terminalId === terminalId))
        this.#schedule(call);
  }

  /** The turn is over, and its calls and terminals with it. */
  clear(): void {
    for (const { timer } of this.#calls.values()) clearTimeout(timer);
    this.#calls.clear();
    this.#terminals.clear();
  }

  #ended({ changes, timer }: OpenCall): void {
    clearTimeout(timer);
    this.#calls.delete(changes.toolCallId);
    this.#store(changes, (item) => item);
  }

  #schedule(call: OpenCall): void {
    if (call.timer !== undefined) return;
    call.timer = setTimeout(() => {
      call.timer = undefined;
      // A terminal that has shown nothing yet has nothing to store.
      this.#store(call.changes, () => undefined);
    }, call.patience);
    call.patience = Math.min(2 * call.patience, longest);
  }

  /** @param unknown what to store for a terminal nobody knows the output of */
  #store(changes: ToolCallUpdate, unknown: (item: ToolCallContent) => ToolCallContent | undefined): void {
    const content = changes.content?.flatMap((item) => {
      if (item.type !== 'terminal') return [item];
      const text = this.#terminals.get(item.terminalId);
      return (text === undefined ? unknown(item) : textContent(text)) ?? [];
    });
    this.#write({ sessionUpdate: 'tool_call_update', ...changes, ...(content && { content }) });
  }
}

function textContent(text: string): ToolCallContent {
  return { type: 'content', content: { type: 'text', text } };
}
