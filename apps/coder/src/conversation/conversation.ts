import { ContextMeter } from './context-meter.ts';
import { enclosed } from './enclosed.ts';
import { readEntry } from './kept-conversation.ts';
import type { ConversationEntry, ConversationMessage, UserMessage } from './kept-conversation.ts';
import { omitFiles } from './omit-files.ts';
import { type RecordedFiles, type RecordedFilesEntry, withEntry } from './recorded-files.ts';
import { openCalls, resultsFor, trimResults } from './tool-results.ts';

/** Stores a conversation: `session.keep`. */
export type Keep = (value: unknown) => Promise<void>;

/** Where a turn began. Message lists only grow, so the position stays valid in a list that was replaced. */
interface TurnStart {
  readonly messages: readonly ConversationMessage[];
  readonly length: number;
  readonly prompt: UserMessage;
  /** The record of its files, to undo it. */
  files?: RecordedFiles;
  /** It continues the turn before: the client records both as one turn. */
  isContinuation?: true;
}

/**
 * The messages of a session, as models accept them. It is consistent whenever a model can be called, even after a torn record: each tool
 * call is followed by its result, and no result lacks its call.
 */
export class Conversation {
  /** Counts its tokens. */
  readonly meter: ContextMeter = new ContextMeter();
  #messages: ConversationMessage[] = [];
  readonly #turns: TurnStart[] = [];

  /** @param kept the stored entries, oldest first */
  constructor(kept: readonly unknown[] = []) {
    for (const value of kept) {
      const entry = readEntry(value);
      if (entry !== undefined) this.#apply(entry);
    }
    this.#closeCalls();
  }

  get messages(): readonly ConversationMessage[] {
    return this.#messages;
  }

  /** The index in {@link messages} where the last turn begins; the length without a turn. */
  get lastTurn(): number {
    const prompt = this.#turns.at(-1)?.prompt;
    const index = prompt === undefined ? -1 : this.#messages.lastIndexOf(prompt);
    return index === -1 ? this.#messages.length : index;
  }

  /** The record of the files that the last turn changed. */
  get lastFiles(): RecordedFiles | undefined {
    return this.#turns.at(-1)?.files;
  }

  /** How many turns this conversation has beyond the beginning it shares with another one. */
  turnsBeyond(other: Conversation): number {
    const theirs = other.#turns.map(({ prompt }) => JSON.stringify(prompt));
    const common = this.#turns.findIndex(({ prompt }, index) => JSON.stringify(prompt) !== theirs[index]);
    return common === -1 ? 0 : this.#turns.length - common;
  }

  /** Adds a message at once, for this and later connections; resolves when it is stored. A user message begins a turn. */
  add(message: ConversationMessage, keep: Keep): Promise<void> {
    this.#apply(message);
    return keep(message);
  }

  /** Adds a message of the user, or of the agent itself, within a turn. */
  steer(message: UserMessage, keep: Keep): void {
    this.#change({ type: 'steered', message }, keep);
  }

  /** Replaces all messages before an index with a summary, except the prompt of the running turn. */
  compact(
    summary: string,
    { prompt, from }: { readonly prompt: number | undefined; readonly from: number },
    keep: Keep,
  ): void {
    this.#change({ type: 'compacted', summary, prompt: prompt ?? null, from }, keep);
  }

  /** Cuts the long tool results before a message. */
  trimResults(before: number, keep: Keep): void {
    this.#change({ type: 'results-trimmed', before }, keep);
  }

  /** Replaces the files of the messages from an index on by a line of text each. */
  omitFiles(from: number, keep: Keep): void {
    this.#change({ type: 'files-omitted', from }, keep);
  }

  /** Adds to the record of the files that the last turn changed. */
  recordFiles(entry: RecordedFilesEntry, keep: Keep): void {
    this.#change(entry, keep);
  }

  /** Removes the messages of the last turn, its prompt included; the turn can still be dropped. */
  forgetLastTurn(keep: Keep): void {
    this.#change({ type: 'turn-forgotten' }, keep);
  }

  /**
   * Removes the last prompt and everything after it, compactions included. If it continued a turn, also what it continued. Returns the text of
   * the first removed prompt; undefined without a turn.
   */
  dropLastTurn(keep: Keep): string | undefined {
    const turn = this.#turns.findLast(({ isContinuation }) => !isContinuation);
    if (turn === undefined) return undefined;
    this.#change({ type: 'turn-dropped' }, keep);
    return turn.prompt.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
  }

  #change(entry: ConversationEntry, keep: Keep): void {
    this.#apply(entry);
    void keep(entry);
  }

  #apply(entry: ConversationEntry): void {
    if ('role' in entry) return this.#add(entry);
    // Its tool calls may be running.
    if (entry.type === 'files-recorded') return this.#recordFiles(entry);
    this.#closeCalls();
    switch (entry.type) {
      case 'steered':
        this.#messages.push(entry.message);
        return;
      case 'turn-forgotten':
        return this.#goBackTo(this.#turns.at(-1));
      case 'turn-dropped':
        return this.#dropLastTurn();
      case 'compacted':
        return this.#compact(entry);
      case 'results-trimmed':
        return this.#replace(trimResults(this.#messages, entry.before));
      case 'files-omitted':
        return this.#omitFiles(entry.from);
    }
  }

  #add(message: ConversationMessage): void {
    if (message.role === 'tool') {
      const whole = resultsFor(openCalls(this.#messages), message);
      if (whole) this.#messages.push(whole);
      return;
    }
    this.#closeCalls();
    if (message.role === 'user')
      this.#turns.push({ messages: this.#messages, length: this.#messages.length, prompt: message });
    this.#messages.push(message);
  }

  #recordFiles(entry: RecordedFilesEntry): void {
    const [before, turn] = [this.#turns.at(-2), this.#turns.at(-1)];
    if (!turn) return;
    if (entry.id !== undefined && entry.id === before?.files?.id) {
      turn.files = before.files;
      turn.isContinuation = true;
    } else turn.files = withEntry(turn.files, entry);
  }

  #dropLastTurn(): void {
    while (this.#turns.at(-1)?.isContinuation) this.#turns.pop();
    this.#goBackTo(this.#turns.pop());
  }

  #closeCalls(): void {
    const missing = resultsFor(openCalls(this.#messages));
    if (missing) this.#messages.push(missing);
  }

  #goBackTo(turn: TurnStart | undefined): void {
    if (turn) this.#replace(turn.messages.slice(0, turn.length));
  }

  #compact({ summary, prompt, from }: Extract<ConversationEntry, { type: 'compacted' }>): void {
    const kept = prompt === null ? undefined : this.#messages[prompt];
    const rest = this.#messages.slice(from);
    // Results without their calls are useless.
    while (rest[0]?.role === 'tool') rest.shift();
    this.#replace([summaryMessage(summary), ...(kept?.role === 'user' ? [kept] : []), ...rest]);
  }

  #omitFiles(from: number): void {
    const before = this.#messages;
    this.#replace(omitFiles(before, from));
    for (const [index, turn] of this.#turns.entries()) {
      const prompt = this.#messages[before.lastIndexOf(turn.prompt)];
      if (prompt?.role === 'user') this.#turns[index] = { ...turn, prompt };
    }
  }

  #replace(messages: readonly ConversationMessage[]): void {
    if (messages === this.#messages) return;
    this.#messages = [...messages];
    this.meter.forget();
  }
}

function summaryMessage(summary: string): UserMessage {
  const text = enclosed('summary', {}, `The conversation before this was replaced by a summary:\n\n${summary}`);
  return { role: 'user', content: [{ type: 'text', text }] };
}
