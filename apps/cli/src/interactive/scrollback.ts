import type { MessageEntry, TranscriptEntry, TranscriptView, ToolCallEntry } from '@turnwire/client/transcript';
import { callBlock, isCallOver, messageText } from '@turnwire/client/view';
import { entryLines, thoughtLine } from './entries/entry-lines.ts';
import type { Look } from './entries/look.ts';
import { wholePlan } from './entries/plan-lines.ts';
import { runningCallLines } from './entries/tool-call-lines.ts';
import { MessageStream } from './message-stream.ts';

/** The most parallel running calls before ended entries are printed without waiting for them. */
const mostWaiting = 8;
/** How many messages are tracked for later additions after they seemed complete. */
const mostWatched = 32;
/** The most lines rendered for one frame: a stored session may have a hundred thousand, and keys must not wait for all of them. */
const mostLines = 2_000;

/** The start of a scrollback. */
interface ScrollbackOptions {
  /** There is nothing above it. */
  readonly isFirst: boolean;
  /** Entries that are not printed, since the user sees them anyway. Default: none. */
  readonly skips?: (entry: TranscriptEntry) => boolean;
}

/**
 * Tracks which part of a transcript is printed, and which is still live. Entries are printed in order when they are complete; a
 * growing message is printed block by block. A call that runs while the agent continues is printed when it ends. So each frame
 * only looks at what is new.
 */
export class Scrollback {
  /** The first entry that is not printed. */
  #next = 0;
  readonly #skips: (entry: TranscriptEntry) => boolean;
  #stream: MessageStream | undefined;
  /** The place of the plan of the turn. */
  #plan: number | undefined;
  /** Calls that still ran when the agent continued, by index. */
  readonly #passed = new Set<number>();
  /** How much of the latest messages was printed, by index. */
  readonly #printed = new Map<number, number>();
  #last: 'nothing' | 'call' | 'block';
  /** Whether the first lines of the open message are printed. */
  #hasBegun = false;

  constructor({ isFirst, skips = () => false }: ScrollbackOptions) {
    this.#last = isFirst ? 'nothing' : 'block';
    this.#skips = skips;
  }

  /** The lines that are complete since the last call; if there are very many, only some of them. */
  take(transcript: TranscriptView, look: Look): { readonly lines: readonly string[]; readonly isAll: boolean } {
    const lines: string[] = [];
    if (!this.#stream) this.#takePassed(transcript, { lines, look });
    while (this.#next < transcript.entries.length && lines.length < mostLines) {
      const entry = transcript.entries.at(this.#next);
      if (!entry || !this.#takeEntry(entry, transcript, { lines, look })) break;
      this.#next++;
    }
    this.#takeGrown(transcript, { lines, look });
    return { lines, isAll: lines.length < mostLines };
  }

  /** The lines that may still change. */
  live(transcript: TranscriptView, spinner: string, look: Look): string[] {
    const passed = Array.from(this.#passed, (place) => transcript.entries.at(place));
    const waiting = transcript.entries.slice(this.#next, this.#next + 2 * mostWaiting);
    const lines = waiting.flatMap((entry) => this.#liveEntry(entry, spinner, look));
    const calls = passed.flatMap((entry) => (entry ? this.#liveEntry(entry, spinner, look) : []));
    const isBlock = waiting[0]?.type !== 'tool-call' || this.#last === 'block';
    return [...(lines.length > 0 && isBlock && !this.#isSpeaking(waiting[0]) ? [''] : []), ...lines, ...calls];
  }

  /** Calls that are not printed, since they run. */
  running({ entries }: TranscriptView): readonly ToolCallEntry[] {
    const passed = Array.from(this.#passed, (place) => entries.at(place));
    const waiting = entries.slice(this.#next, this.#next + 2 * mostWaiting);
    return [...passed, ...waiting].filter(
      (entry): entry is ToolCallEntry => entry?.type === 'tool-call' && !isCallOver(entry),
    );
  }

  /** An open message whose first lines are printed already continues after them. */
  #isSpeaking(entry: TranscriptEntry | undefined): boolean {
    return this.#stream !== undefined && entry?.type === 'agent' && this.#last === 'block' && this.#hasBegun;
  }

  #takeEntry(entry: TranscriptEntry, transcript: TranscriptView, out: Out): boolean {
    if (entry.type === 'agent') return this.#takeMessage(entry, out);
    if (entry.type === 'thought' && entry.isOpen) return false;
    if (entry.type === 'tool-call' && !isCallOver(entry)) return this.#pass(transcript);
    if (entry.type === 'turn-end') this.#takePassed(transcript, out);
    this.#takePlan(entry, transcript, out);
    if (entry.type === 'user' || entry.type === 'thought') this.#watch(entry);
    this.#print(this.#skips(entry) ? [] : entryLines(entry, out.look), entry, out);
    return true;
  }

  /** A plan changes in place until its turn is over, and stands above the editor meanwhile. */
  #takePlan({ type }: TranscriptEntry, { entries }: TranscriptView, out: Out): void {
    if (type === 'plan') this.#plan = this.#next;
    if (type !== 'turn-end' && type !== 'user') return;
    const plan = this.#plan === undefined ? undefined : entries.at(this.#plan);
    this.#plan = undefined;
    if (plan?.type === 'plan' && !out.look.isExpanded) this.#print(wholePlan(plan.entries, out.look), plan, out);
  }

  #takeMessage(entry: MessageEntry, out: Out): boolean {
    this.#stream ??= this.#begin();
    this.#stream.follow(entry);
    const { messages: page = out.look } = out.look;
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
    const goesOn = after.length === mostWaiting || after.some(({ type }) => type !== 'tool-call' && type !== 'plan');
    if (goesOn) this.#passed.add(this.#next);
    return goesOn;
  }

  #takePassed({ entries }: TranscriptView, out: Out): void {
    for (const place of this.#passed) {
      const entry = entries.at(place) as ToolCallEntry;
      if (!isCallOver(entry)) continue;
      this.#passed.delete(place);
      this.#print(entryLines(entry, out.look), entry, out);
    }
  }

  /** Agents may continue an earlier message after a tool call: the addition is printed where it arrives. */
  #takeGrown({ entries }: TranscriptView, out: Out): void {
    for (const [place, length] of this.#printed) {
      const entry = entries.at(place) as MessageEntry;
      if (entry.isOpen || lengthOf(entry) <= length) continue;
      this.#printed.set(place, lengthOf(entry));
      const text = messageText(entry);
      if (entry.type !== 'agent') continue;
      const stream = new MessageStream();
      stream.follow({ ...entry, content: [{ type: 'text', text: text.slice(length) }] });
      this.#print(stream.end(out.look.messages ?? out.look), entry, out);
    }
  }

  #watch(entry: MessageEntry): void {
    this.#printed.set(this.#next, lengthOf(entry));
    const [oldest] = this.#printed.keys();
    if (this.#printed.size > mostWatched && oldest !== undefined) this.#printed.delete(oldest);
  }

  /** An empty line separates blocks; calls of one line each follow each other directly. */
  #print(lines: readonly string[], entry: TranscriptEntry, { lines: printed }: Out): void {
    if (lines.length === 0) return;
    const kind = entry.type === 'tool-call' && lines.length === 1 ? 'call' : 'block';
    if (this.#last !== 'nothing' && (kind === 'block' || this.#last === 'block')) printed.push('');
    for (const line of lines) printed.push(line);
    this.#last = kind;
  }

  #liveEntry(entry: TranscriptEntry, spinner: string, look: Look): string[] {
    // The question shows all of it.
    if (entry.type === 'tool-call' && entry.permission?.state === 'asked') return [];
    if (entry.type === 'tool-call' && !isCallOver(entry))
      return runningCallLines(callBlock(entry, look.terminals), spinner, look);
    if (entry.type === 'agent' && this.#stream && entry.isOpen) return this.#stream.live(look);
    if (entry.type === 'thought' && entry.isOpen && !look.showsThoughts) return [latestThought(entry, look)];
    return entryLines(entry, look);
  }
}

interface Out {
  readonly lines: string[];
  readonly look: Look;
}

function lengthOf(entry: MessageEntry): number {
  return entry.content.reduce((length, block) => length + (block.type === 'text' ? block.text.length : 1), 0);
}

/** The end of a thought, so that its progress is visible. */
function latestThought(entry: MessageEntry, look: Look): string {
  const last = entry.content.at(-1);
  const text = last?.type === 'text' ? last.text : '';
  const [, line = text] = /([^\n]*)\s*$/.exec(text.slice(-200)) ?? [];
  return thoughtLine(line, look);
}
