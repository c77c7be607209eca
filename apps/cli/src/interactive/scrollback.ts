import type {
  ChildSessionEntry,
  MessageEntry,
  TranscriptEntry,
  TranscriptView,
  ToolCallEntry,
} from '@turnwire/client/transcript';
import { callBlock, childBlock, isCallOver, isChildOver, messageText, planBlock } from '@turnwire/client/view';
import { childLines, entryLines, thoughtLine } from './entries/entry-lines.ts';
import type { RenderOptions } from './entries/render-options.ts';
import { wholePlan } from './entries/plan-lines.ts';
import { runningCallLines } from './entries/tool-call-lines.ts';
import { MessageStream } from './message-stream.ts';

/** The maximum number of running calls that hold back the printing of finished entries. */
const mostWaiting = 8;
/** The number of completed messages that are watched for later additions. */
const mostWatched = 32;
/** The maximum number of lines per frame. A stored session may have a hundred thousand, and keys must not wait for all of them. */
const mostLines = 2_000;

/** The options of a scrollback. */
interface ScrollbackOptions {
  /** Whether the screen above the scrollback is empty. */
  readonly isFirst: boolean;
  /** Entries to skip, because the user sees them anyway. Default: none. */
  readonly skips?: (entry: TranscriptEntry) => boolean;
}

/**
 * Tracks the printed and the live part of a transcript. Entries are printed in order when they are complete; a growing message is printed
 * block by block. A call that runs while the agent continues is printed when it ends. Each frame processes only new content.
 */
export class Scrollback {
  /** The index of the first unprinted entry. */
  #next = 0;
  readonly #skips: (entry: TranscriptEntry) => boolean;
  #stream: MessageStream | undefined;
  /** The indexes of the turn's plans. */
  #plans: number[] = [];
  /** The indexes of calls and child sessions that were still running when the agent continued. */
  readonly #passed = new Set<number>();
  /** The printed length of the latest messages, by index. */
  readonly #printed = new Map<number, number>();
  #last: 'nothing' | 'call' | 'block';
  /** Whether the first lines of the open message have been printed. */
  #hasBegun = false;

  constructor({ isFirst, skips = () => false }: ScrollbackOptions) {
    this.#last = isFirst ? 'nothing' : 'block';
    this.#skips = skips;
  }

  /** The newly completed lines; if there are very many, only some of them. */
  take(
    transcript: TranscriptView,
    options: RenderOptions,
  ): { readonly lines: readonly string[]; readonly isAll: boolean } {
    const lines: string[] = [];
    if (!this.#stream) this.#takePassed(transcript, { lines, options });
    while (this.#next < transcript.entries.length && lines.length < mostLines) {
      const entry = transcript.entries.at(this.#next);
      if (!entry || !this.#takeEntry(entry, transcript, { lines, options })) break;
      this.#next++;
    }
    this.#takeGrown(transcript, { lines, options });
    return { lines, isAll: lines.length < mostLines };
  }

  /** The lines that may still change. */
  live(transcript: TranscriptView, spinner: string, options: RenderOptions): string[] {
    const passed = Array.from(this.#passed, (entryIndex) => transcript.entries.at(entryIndex));
    const waiting = transcript.entries.slice(this.#next, this.#next + 2 * mostWaiting);
    const lines = waiting.flatMap((entry) => this.#liveEntry(entry, spinner, options));
    const calls = passed.flatMap((entry) => (entry ? this.#liveEntry(entry, spinner, options) : []));
    const isBlock = waiting[0]?.type !== 'tool-call' || this.#last === 'block';
    return [...(lines.length > 0 && isBlock && !this.#isSpeaking(waiting[0]) ? [''] : []), ...lines, ...calls];
  }

  /** The running calls, which are not printed yet. */
  running({ entries }: TranscriptView): readonly ToolCallEntry[] {
    const passed = Array.from(this.#passed, (entryIndex) => entries.at(entryIndex));
    const waiting = entries.slice(this.#next, this.#next + 2 * mostWaiting);
    return [...passed, ...waiting].filter(
      (entry): entry is ToolCallEntry => entry?.type === 'tool-call' && !isCallOver(entry),
    );
  }

  /** Whether an entry continues an open message whose first lines have been printed. */
  #isSpeaking(entry: TranscriptEntry | undefined): boolean {
    return this.#stream !== undefined && entry?.type === 'agent' && this.#last === 'block' && this.#hasBegun;
  }

  #takeEntry(entry: TranscriptEntry, transcript: TranscriptView, out: Out): boolean {
    if (entry.type === 'agent') return this.#takeMessage(entry, out);
    if (entry.type === 'thought' && entry.isOpen) return false;
    if (isRunning(entry)) return this.#pass(transcript);
    if (entry.type === 'turn-end') this.#takePassed(transcript, out);
    this.#takePlans(entry, transcript, out);
    if (entry.type === 'user' || entry.type === 'thought') this.#watch(entry);
    this.#print(this.#skips(entry) ? [] : entryLines(entry, out.options), entry, out);
    return true;
  }

  /** Prints the plans at the end of their turn. Until then they change in place above the editor. */
  #takePlans({ type }: TranscriptEntry, { entries }: TranscriptView, out: Out): void {
    if (type === 'plan') this.#plans.push(this.#next);
    if (type !== 'turn-end' && type !== 'user') return;
    const plans = this.#plans.map((index) => entries.at(index));
    this.#plans = [];
    for (const plan of plans)
      if (plan?.type === 'plan' && !out.options.isExpanded)
        this.#print(wholePlan(planBlock(plan), out.options), plan, out);
  }

  #takeMessage(entry: MessageEntry, out: Out): boolean {
    this.#stream ??= this.#begin();
    this.#stream.follow(entry);
    const { messages: page = out.options } = out.options;
    const lines = entry.isOpen ? this.#stream.take(page) : this.#stream.end(page);
    if (lines.length > 0) {
      if (!this.#hasBegun) this.#print(lines, entry, out);
      else for (const line of lines) out.lines.push(line);
      this.#hasBegun = true;
    }
    if (entry.isOpen) return false;
    this.#stream = undefined;
    this.#watch(entry);
    return true;
  }

  #begin(): MessageStream {
    this.#hasBegun = false;
    return new MessageStream();
  }

  /** Whether the agent has continued while the call runs, so that later entries need not wait for it. */
  #pass({ entries }: TranscriptView): boolean {
    const after = entries.slice(this.#next + 1, this.#next + 1 + mostWaiting);
    const hasContinued =
      after.length === mostWaiting || after.some(({ type }) => type !== 'tool-call' && type !== 'plan');
    if (hasContinued) this.#passed.add(this.#next);
    return hasContinued;
  }

  #takePassed({ entries }: TranscriptView, out: Out): void {
    for (const entryIndex of this.#passed) {
      const entry = entries.at(entryIndex);
      if (!entry || isRunning(entry)) continue;
      this.#passed.delete(entryIndex);
      this.#print(entryLines(entry, out.options), entry, out);
    }
  }

  /** Prints additions to earlier messages at the current position: agents may continue a message after a tool call. */
  #takeGrown({ entries }: TranscriptView, out: Out): void {
    for (const [entryIndex, length] of this.#printed) {
      const entry = entries.at(entryIndex) as MessageEntry;
      if (entry.isOpen || lengthOf(entry) <= length) continue;
      this.#printed.set(entryIndex, lengthOf(entry));
      const text = messageText(entry);
      if (entry.type !== 'agent') continue;
      const stream = new MessageStream();
      stream.follow({ ...entry, content: [{ type: 'text', text: text.slice(length) }] });
      this.#print(stream.end(out.options.messages ?? out.options), entry, out);
    }
  }

  #watch(entry: MessageEntry): void {
    this.#printed.set(this.#next, lengthOf(entry));
    const [oldest] = this.#printed.keys();
    if (this.#printed.size > mostWatched && oldest !== undefined) this.#printed.delete(oldest);
  }

  /** Prints an entry. Empty lines separate blocks, but not consecutive calls of one line each. */
  #print(lines: readonly string[], entry: TranscriptEntry, { lines: printed }: Out): void {
    if (lines.length === 0) return;
    const kind = entry.type === 'tool-call' && lines.length === 1 ? 'call' : 'block';
    if (this.#last !== 'nothing' && (kind === 'block' || this.#last === 'block')) printed.push('');
    for (const line of lines) printed.push(line);
    this.#last = kind;
  }

  #liveEntry(entry: TranscriptEntry, spinner: string, options: RenderOptions): string[] {
    // The question shows the whole call.
    if (entry.type === 'tool-call' && entry.permission?.state === 'asked') return [];
    if (isRunning(entry)) return runningLines(entry, spinner, options);
    if (entry.type === 'agent' && this.#stream && entry.isOpen) return this.#stream.live(options);
    if (entry.type === 'thought' && entry.isOpen && !options.showsThoughts) return [latestThought(entry, options)];
    return entryLines(entry, options);
  }
}

function runningLines(entry: ToolCallEntry | ChildSessionEntry, spinner: string, options: RenderOptions): string[] {
  return entry.type === 'tool-call'
    ? runningCallLines(callBlock(entry, options.terminals), spinner, options)
    : childLines(childBlock(entry), spinner, options);
}

function isRunning(entry: TranscriptEntry): entry is ToolCallEntry | ChildSessionEntry {
  if (entry.type === 'child-session') return !isChildOver(entry);
  return entry.type === 'tool-call' && !isCallOver(entry);
}

interface Out {
  readonly lines: string[];
  readonly options: RenderOptions;
}

function lengthOf(entry: MessageEntry): number {
  return entry.content.reduce((length, block) => length + (block.type === 'text' ? block.text.length : 1), 0);
}

/** The end of a thought, so that its progress is visible. */
function latestThought(entry: MessageEntry, options: RenderOptions): string {
  const last = entry.content.at(-1);
  const text = last?.type === 'text' ? last.text : '';
  const [, line = text] = /([^\n]*)\s*$/.exec(text.slice(-200)) ?? [];
  return thoughtLine(line, options);
}
