import { type SessionUpdate, toolCallChanges, type ToolCallContent, type ToolCallUpdate } from '@turnwire/protocol';

/** An unfinished call and its changes to store. */
interface OpenCall {
  changes: ToolCallUpdate;
  /** Set while changes wait to be stored. */
  timer: ReturnType<typeof setTimeout> | undefined;
  /** Delay before the next changes are stored, in milliseconds. */
  delay: number;
}

/** Delay before changes are stored, in milliseconds. It doubles from the first to the second value. */
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
    const call: OpenCall = this.#calls.get(toolCallId) ?? { changes: change, timer: undefined, delay: shortest };
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

  /** Records the current output of a terminal, which is stored instead of the terminal: a client that loads the session later cannot read it. */
  recordTerminal(terminalId: string, output: string): void {
    this.#terminals.set(terminalId, output);
    for (const call of this.#calls.values())
      if (call.changes.content?.some((item) => item.type === 'terminal' && item.terminalId === terminalId))
        this.#schedule(call);
  }

  /** Drops all calls and terminals at the end of their turn. */
  clear(): void {
    for (const { timer } of this.#calls.values()) clearTimeout(timer);
    this.#calls.clear();
    this.#terminals.clear();
  }

  #schedule(call: OpenCall): void {
    if (call.timer !== undefined) return;
    call.timer = setTimeout(() => {
      call.timer = undefined;
      // A terminal without output has nothing to store yet.
      this.#store(call.changes, () => undefined);
    }, call.delay);
    call.delay = Math.min(2 * call.delay, longest);
  }

  /** @param unknown returns the content to store for a terminal with unknown output */
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
