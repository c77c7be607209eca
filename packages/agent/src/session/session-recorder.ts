import type { Log, SessionUpdate, ToolCallUpdate } from '@turnwire/protocol';
import type { SessionEntry, SessionJournal } from '../store/session-store.ts';
import { OpenCalls } from './open-calls.ts';

type Chunk = Extract<SessionUpdate, { readonly sessionUpdate: 'agent_message_chunk' | 'agent_thought_chunk' }>;

/** Milliseconds and UTF-16 units of a message that may wait to be written together. */
const patience = 100;
const longest = 16 * 1024;

/**
 * Writes what a session's client is told to its journal, in fewer words: pieces of a message together, a tool call when it is
 * announced, now and then while it runs, and when it is over. A journal that fails is reported once and then left alone: the conversation goes on.
 */
export class SessionRecorder {
  readonly #journal: SessionJournal | undefined;
  readonly #log: Log;
  readonly #calls = new OpenCalls((update) => void this.#append({ type: 'update', update }));
  #text: { readonly update: Chunk; text: string } | undefined;
  #timer: NodeJS.Timeout | undefined;
  #failure: { readonly error: unknown; isTold: boolean } | undefined;

  /** @param journal absent: the session cannot be stored, as `fail` is about to say */
  constructor(journal: SessionJournal | undefined, log: Log) {
    this.#journal = journal;
    this.#log = log;
  }

  /** False once something could not be written. */
  get isStoring(): boolean {
    return this.#failure === undefined;
  }

  /** The error that ended the storing, if there is one nobody was told of. The first who asks tells the person. */
  takeFailure(): { readonly error: unknown } | undefined {
    if (this.#failure === undefined || this.#failure.isTold) return undefined;
    this.#failure.isTold = true;
    return this.#failure;
  }

  /** Gives the journal up. */
  fail(error: unknown): void {
    if (this.#failure !== undefined) return;
    this.#failure = { error, isTold: false };
    this.#log({ level: 'error', event: 'the session can no longer be stored; it goes on without', error });
  }

  /** Resolves when the entry is written, or has been given up. */
  async entry(entry: SessionEntry): Promise<void> {
    this.#flush();
    if (entry.type === 'end') this.#calls.clear();
    await this.#append(entry);
  }

  update(update: SessionUpdate): void {
    if (isText(update)) return this.#chunk(update);
    this.#flush();
    if (update.sessionUpdate === 'tool_call_update') this.#calls.change(changesOf(update));
    else void this.#append({ type: 'update', update });
  }

  /** What a terminal came to show, which takes its place in what is stored. */
  terminalShowed(terminalId: string, output: string): void {
    this.#calls.terminalShowed(terminalId, output);
  }

  /** Writes what waits and lets go of the journal. */
  async close(): Promise<void> {
    this.#flush();
    this.#calls.clear();
    await this.#journal?.close();
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

  async #append(entry: SessionEntry): Promise<void> {
    if (this.#failure !== undefined) return;
    try {
      await this.#journal?.append(entry);
    } catch (error) {
      this.fail(error);
    }
  }
}

function changesOf({
  sessionUpdate: _,
  ...changes
}: { readonly sessionUpdate: 'tool_call_update' } & ToolCallUpdate): ToolCallUpdate {
  return changes;
}

function isText(
  update: SessionUpdate,
): update is Chunk & { readonly content: { readonly type: 'text'; readonly text: string } } {
  const isChunk = update.sessionUpdate === 'agent_message_chunk' || update.sessionUpdate === 'agent_thought_chunk';
  return isChunk && update.content.type === 'text' && !update.content.annotations && !update._meta;
}
