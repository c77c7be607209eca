import type { MessageEntry, TranscriptEntry, TranscriptView, ToolCallEntry } from '@turnwire/client/transcript';
import { entryLines, messageText, thoughtLine } from './entries/entry-lines.ts';
import type { Look } from './entries/look.ts';
import { isOver, runningCallLines } from './entries/tool-call-lines.ts';
import { MessageStream } from './message-stream.ts';

/** Calls that run side by side before what is done no longer waits for what runs. */
const mostWaiting = 8;
/** Messages of which more may come after they were thought to be complete. */
const mostWatched = 32;
/** Lines that are made for one frame: a stored session may have a hundred thousand, and keys must not wait for all of them. */
const mostLines = 2_000;

/** What a transcript begins with. */
interface ScrollbackOptions {
  /** Nothing stands above it. */
  readonly isFirst: boolean;
  /** Entries that are not printed, since the user sees them anyway. Default: none. */
  readonly skips?: (entry: TranscriptEntry) => boolean;
}

/**
 * What of a transcript was printed already, and what of it is still live. Entries are printed in their order when they are complete; a
 * message that grows is printed block by block. A call that runs while the agent continues is printed when it ends. So each frame
 * looks only at what is new.
 */
export class Scrollback {
  /** The first entry that is not printed. */
  #next = 0;
  readonly #skips: (entry: TranscriptEntry) => boolean;
  #stream: MessageStream | undefined;
  /** Calls that still ran when the agent continued, by their place. */
  readonly #passed = new Set<number>();
  /** How much of the latest messages was printed, by their place. */
  readonly #printed = new Map<number, number>();
  #last: 'nothing' | 'call' | 'block';
  /** The first lines of the open message are printed. */
  #hasBegun = false;

  constructor({ isFirst, skips = () => false }: ScrollbackOptions) {
    this.#last = isFirst ? 'nothing' : 'block';
    this.#skips = skips;
  }

  /** The lines that are complete since the last time; not all of them if there are very many. */
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

  /** The lines of what still changes. */
  live(transcript: TranscriptView, spinner: string, look: Look): string[] {
    const passed = Array.from(this.#passed, (place) => transcript.entries.at(place));
    const waiting = transcript.entries.slice(this.#next, this.#next + 2 * mostWaiting);
    const lines = waiting.flatMap((entry) => this.#liveEntry(entry, spinner, look));
    const calls = passed.flatMap((entry) => (entry ? this.#liveEntry(entry, spinner, look) : []));
    const isBlock = waiting[0]?.type !== 'tool-call' || this.#last === 'block';
    return [...(lines.length > 0 && isBlock && !this.#isSpeaking(waiting[0]) ? [''] : []), ...lines, ...calls];
  }

  /** An open message whose first lines are printed already continues where they end. */
  #isSpeaking(entry: TranscriptEntry | undefined): boolean {
    return this.#stream !== undefined && entry?.type === 'agent' && this.#last === 'block' && this.#hasBegun;
  }

  #takeEntry(entry: TranscriptEntry, transcript: TranscriptView, out: Out): boolean {
    if (entry.type === 'agent') return this.#takeMessage(entry, out);
    if (entry.type === 'thought' && entry.isOpen) return false;
    if (entry.type === 'tool-call' && !isOver(entry)) return this.#pass(transcript);
    if (entry.type === 'turn-end') this.#takePassed(transcript, out);
    if (entry.type === 'user' || entry.type === 'thought') this.#watch(entry);
    this.#print(this.#skips(entry) ? [] : entryLines(entry, out.look), entry, out);
    return true;
  }

  #takeMessage(entry: MessageEntry, out: Out): boolean {
    this.#stream ??= this.#begin();
    this.#stream.follow(entry);
    const lines = entry.isOpen ? this.#stream.take(out.look) : this.#stream.end(out.look);
    if (lines.length > 0) {
      if (this.#hasBegun) out.lines.push(...lines);
      else this.#print(lines, entry, out);
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

  /** Whether the agent has gone on while the call runs, so that what came after need not wait for it. */
  #pass({ entries }: TranscriptView): boolean {
    const after = entries.slice(this.#next + 1, this.#next + 1 + mostWaiting);
    const goesOn = after.length === mostWaiting || after.some(({ type }) => type !== 'tool-call' && type !== 'plan');
    if (goesOn) this.#passed.add(this.#next);
    return goesOn;
  }

  #takePassed({ entries }: TranscriptView, out: Out): void {
    for (const place of this.#passed) {
      const entry = entries.at(place) as ToolCallEntry;
      if (!isOver(entry)) continue;
      this.#passed.delete(place);
      this.#print(entryLines(entry, out.look), entry, out);
    }
  }

  /** Agents may continue with an earlier message after a tool call: what they add is printed where it comes. */
  #takeGrown({ entries }: TranscriptView, out: Out): void {
    for (const [place, length] of this.#printed) {
      const entry = entries.at(place) as MessageEntry;
      if (entry.isOpen || lengthOf(entry) <= length) continue;
      this.#printed.set(place, lengthOf(entry));
      const text = messageText(entry);
      if (entry.type !== 'agent') continue;
      const stream = new MessageStream();
      stream.follow({ ...entry, content: [{ type: 'text', text: text.slice(length) }] });
      this.#print(stream.end(out.look), entry, out);
    }
  }

  #watch(entry: MessageEntry): void {
    this.#printed.set(this.#next, lengthOf(entry));
    const [oldest] = this.#printed.keys();
    if (this.#printed.size > mostWatched && oldest !== undefined) this.#printed.delete(oldest);
  }

  /** An empty line stands between blocks; calls that take a line each stand together. */
  #print(lines: readonly string[], entry: TranscriptEntry, { lines: printed }: Out): void {
    if (lines.length === 0) return;
    const kind = entry.type === 'tool-call' && lines.length === 1 ? 'call' : 'block';
    if (this.#last !== 'nothing' && (kind === 'block' || this.#last === 'block')) printed.push('');
    printed.push(...lines);
    this.#last = kind;
  }

  #liveEntry(entry: TranscriptEntry, spinner: string, look: Look): string[] {
    // The question says it all.
    if (entry.type === 'tool-call' && entry.permission?.state === 'asked') return [];
    if (entry.type === 'tool-call' && !isOver(entry)) return runningCallLines(entry, spinner, look);
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

/** The end of a thought, so that one sees it move. */
function latestThought(entry: MessageEntry, look: Look): string {
  const last = entry.content.at(-1);
  const text = last?.type === 'text' ? last.text : '';
  const [, line = text] = /([^\n]*)\s*$/.exec(text.slice(-200)) ?? [];
  return thoughtLine(line, look);
}
