import type { SessionUpdate } from '@turnwire/protocol';
import type { SessionEntry } from '../store/session-store.ts';
import type { EntryQueue, StoringChange } from './entry-queue.ts';
import { OpenCalls } from './open-calls.ts';

type Chunk = Extract<SessionUpdate, { readonly sessionUpdate: 'agent_message_chunk' | 'agent_thought_chunk' }>;

/** Milliseconds and UTF-16 units that chunks of a message may wait to be written together. */
const flushDelay = 100;
const longest = 16 * 1024;

/**
 * Writes the updates sent to a client to its journal, merged: chunks of a message together, a tool call when it is announced, at intervals
 * while it runs, and when it has ended. While a journal fails, the session continues and entries wait.
 */
export class SessionRecorder {
  readonly #queue: EntryQueue;
  readonly #child: string | undefined;
  readonly #calls = new OpenCalls((update) => this.#add(update));
  #text: { readonly update: Chunk; text: string } | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param child the session whose updates these are, if another one started it. That one has the journal. */
  constructor(queue: EntryQueue, child?: string) {
    this.#queue = queue;
    this.#child = child;
  }

  /** Records a session that this one starts, in the same journal. */
  ofChild(sessionId: string): SessionRecorder {
    return new SessionRecorder(this.#queue, sessionId);
  }

  /** False while an entry is not stored. */
  get isStoring(): boolean {
    return this.#queue.isStoring;
  }

  /** The latest change of storing that was not reported. The caller notifies the user. */
  takeChange(): StoringChange | undefined {
    return this.#child === undefined ? this.#queue.takeChange() : undefined;
  }

  /** Resolves when the entry is written, or has to wait. */
  async entry(entry: SessionEntry): Promise<void> {
    this.#flush();
    if (entry.type === 'end') this.#calls.clear();
    await this.#queue.add(entry);
  }

  update(update: SessionUpdate): void {
    if (isText(update)) {
      const begun = this.#text;
      const continues =
        begun?.update.sessionUpdate === update.sessionUpdate && begun.update.messageId === update.messageId;
      if (!continues) this.#flush();
      this.#text = { update, text: (continues ? begun.text : '') + update.content.text };
      if (this.#text.text.length > longest) this.#flush();
      else this.#timer ??= setTimeout(() => this.#flush(), flushDelay);
      return;
    }
    this.#flush();
    if (update.sessionUpdate === 'tool_call_update') {
      const { sessionUpdate: _, ...changes } = update;
      this.#calls.change(changes);
    } else this.#add(update);
  }

  /** Records the current output of a terminal, which is stored instead of the terminal. */
  recordTerminal(terminalId: string, output: string): void {
    this.#calls.recordTerminal(terminalId, output);
  }

  /** Writes the waiting text and closes the journal. */
  async close(): Promise<void> {
    this.#flush();
    this.#calls.clear();
    if (this.#child === undefined) await this.#queue.close();
  }

  #add(update: SessionUpdate): void {
    const sessionId = this.#child;
    void this.#queue.add(sessionId === undefined ? { type: 'update', update } : { type: 'child', sessionId, update });
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const waiting = this.#text;
    this.#text = undefined;
    if (waiting === undefined) return;
    this.#add({ ...waiting.update, content: { type: 'text', text: waiting.text } });
  }
}

function isText(
  update: SessionUpdate,
): update is Chunk & { readonly content: { readonly type: 'text'; readonly text: string } } {
  const isChunk = update.sessionUpdate === 'agent_message_chunk' || update.sessionUpdate === 'agent_thought_chunk';
  // Other fields would be lost when the next chunk is merged.
  return isChunk && update.content.type === 'text' && Object.keys(update.content).length === 2 && !update._meta;
}
