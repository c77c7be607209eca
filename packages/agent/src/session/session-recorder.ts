import type { Log, SessionUpdate, ToolCallContent, ToolCallUpdate } from '@agentwire/protocol';
import type { SessionEntry, SessionJournal } from '../store/session-store.ts';

type Chunk = Extract<SessionUpdate, { readonly sessionUpdate: 'agent_message_chunk' | 'agent_thought_chunk' }>;

/** Milliseconds and UTF-16 units of a message that may wait to be written together. */
const patience = 100;
const longest = 16 * 1024;

/**
 * Writes what a session's client is told to its journal, in fewer words: pieces of a message together, a tool call when it is
 * announced and when it is over. A journal that fails is reported once and then left alone: the conversation goes on.
 */
export class SessionRecorder {
  readonly #journal: SessionJournal;
  readonly #log: Log;
  readonly #calls = new Map<string, ToolCallUpdate>();
  readonly #terminals = new Map<string, string>();
  #text: { readonly update: Chunk; text: string } | undefined;
  #timer: NodeJS.Timeout | undefined;
  #hasFailed = false;

  constructor(journal: SessionJournal, log: Log) {
    this.#journal = journal;
    this.#log = log;
  }

  /** Resolves when the entry is written, or has been given up. */
  async entry(entry: SessionEntry): Promise<void> {
    this.#flush();
    await this.#append(entry);
  }

  update(update: SessionUpdate): void {
    if (isText(update)) return this.#chunk(update);
    this.#flush();
    if (update.sessionUpdate === 'tool_call_update') this.#change(update);
    else void this.#append({ type: 'update', update });
  }

  /** What a terminal came to show, which takes its place in what is stored. */
  terminalShowed(terminalId: string, output: string): void {
    this.#terminals.set(terminalId, output);
  }

  /** Writes what waits and lets go of the journal. */
  async close(): Promise<void> {
    this.#flush();
    await this.#journal.close();
  }

  #chunk(update: Chunk & { readonly content: { readonly type: 'text'; readonly text: string } }): void {
    const begun = this.#text;
    const goesOn = begun?.update.sessionUpdate === update.sessionUpdate && begun.update.messageId === update.messageId;
    if (!goesOn) this.#flush();
    this.#text = { update, text: (goesOn ? begun.text : '') + update.content.text };
    if (this.#text.text.length > longest) this.#flush();
    else this.#timer ??= setTimeout(() => this.#flush(), patience);
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const waiting = this.#text;
    this.#text = undefined;
    if (waiting === undefined) return;
    const update = { ...waiting.update, content: { type: 'text', text: waiting.text } } as SessionUpdate;
    void this.#append({ type: 'update', update });
  }

  #change({ sessionUpdate: _, ...change }: { readonly sessionUpdate: 'tool_call_update' } & ToolCallUpdate): void {
    const { toolCallId, status } = change;
    const changes = { ...this.#calls.get(toolCallId), ...change };
    if (status !== 'completed' && status !== 'failed') return void this.#calls.set(toolCallId, changes);
    this.#calls.delete(toolCallId);
    const content = changes.content?.map((item) => this.#withoutTerminal(item));
    void this.#append({
      type: 'update',
      update: { sessionUpdate: 'tool_call_update', ...changes, ...(content && { content }) },
    });
  }

  #withoutTerminal(item: ToolCallContent): ToolCallContent {
    const output = item.type === 'terminal' ? this.#terminals.get(item.terminalId) : undefined;
    if (item.type !== 'terminal' || output === undefined) return item;
    this.#terminals.delete(item.terminalId);
    return { type: 'content', content: { type: 'text', text: output } };
  }

  async #append(entry: SessionEntry): Promise<void> {
    if (this.#hasFailed) return;
    try {
      await this.#journal.append(entry);
    } catch (error) {
      if (this.#hasFailed) return;
      this.#hasFailed = true;
      this.#log({ level: 'error', event: 'the session can no longer be stored; it goes on without', error });
    }
  }
}

function isText(
  update: SessionUpdate,
): update is Chunk & { readonly content: { readonly type: 'text'; readonly text: string } } {
  const isChunk = update.sessionUpdate === 'agent_message_chunk' || update.sessionUpdate === 'agent_thought_chunk';
  return isChunk && update.content.type === 'text' && !update.content.annotations && !update._meta;
}
