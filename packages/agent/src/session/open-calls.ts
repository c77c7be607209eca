import { type SessionUpdate, toolCallChanges, type ToolCallContent, type ToolCallUpdate } from '@turnwire/protocol';

/** A call that has not ended, and what to store of it. */
interface OpenCall {
  changes: ToolCallUpdate;
  /** Set while changes wait to be stored. */
  timer: ReturnType<typeof setTimeout> | undefined;
  /** Delay before the next changes are stored, in milliseconds. */
  patience: number;
}

/** Delay before changes are stored, in milliseconds: short at first, longer the longer the call runs. */
const shortest = 100;
const longest = 10_000;

/**
 * Stores the progress of tool calls between their announcement and their end: all changes so far, at growing intervals, so that a call that
 * reports progress for an hour does not fill the disk, and a call that is killed leaves most of its output.
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
    call.changes = { ...call.changes, ...toolCallChanges(change) };
    if (status === 'completed' || status === 'failed') {
      clearTimeout(call.timer);
      this.#calls.delete(toolCallId);
      this.#store(call.changes, (item) => item);
    } else {
      this.#calls.set(toolCallId, call);
      this.#schedule(call);
    }
  }

  /**
   * Records the current output of a terminal, which is stored in its place: a client that loads the session later cannot read the terminal.
   */
  recordTerminal(terminalId: string, output: string): void {
    this.#terminals.set(terminalId, output);
    for (const call of this.#calls.values())
      if (call.changes.content?.some((item) => item.type === 'terminal' && item.terminalId === terminalId))
        this.#schedule(call);
  }

  /** The turn has ended, and its calls and terminals with it. */
  clear(): void {
    for (const { timer } of this.#calls.values()) clearTimeout(timer);
    this.#calls.clear();
    this.#terminals.clear();
  }

  #schedule(call: OpenCall): void {
    if (call.timer !== undefined) return;
    call.timer = setTimeout(() => {
      call.timer = undefined;
      // A terminal without output so far has nothing to store.
      this.#store(call.changes, () => undefined);
    }, call.patience);
    call.patience = Math.min(2 * call.patience, longest);
  }

  /** @param unknown what to store for a terminal whose output is not known */
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
