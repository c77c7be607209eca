import { TextCleaner } from '../terminal/clean-text.ts';
import type { Page } from '../terminal/page.ts';
import type { Paint } from '../terminal/paint.ts';
import type { MarkdownStream } from './markdown/markdown-stream.ts';

/** Draws Markdown on a terminal. */
export interface MarkdownDrawing {
  readonly stream: () => MarkdownStream;
  readonly size: () => { readonly columns: number; readonly rows: number };
  /** Erases this many lines up to the line of the cursor. */
  readonly erase: (lines: number) => void;
}

/** Where a text is printed, and how. */
export interface PrintedTextOptions {
  readonly write: (text: string) => void;
  readonly paint: Paint;
  /** Renders the Markdown of the agent at the width of the terminal. Absent: it is printed unchanged. */
  readonly markdown?: MarkdownDrawing;
}

/** The text of a turn: the agent's words as they arrive, with whole lines in between. */
export class PrintedText {
  readonly #options: PrintedTextOptions;
  readonly #cleaner = new TextCleaner();
  /** The current message of the agent. */
  #markdown: MarkdownStream | undefined;
  /** The number of drawn lines of the message that may still change. */
  #live = 0;
  #speaking: string | undefined;
  #atLineStart = true;
  #blankLines = '';

  constructor(options: PrintedTextOptions) {
    this.#options = options;
  }

  /** Prints a piece of a message. Pieces with the same voice belong to one message. */
  speak(voice: string, text: string): void {
    if (voice !== this.#speaking) this.freshLine();
    this.#speaking = voice;
    const { markdown } = this.#options;
    if (!markdown) return this.#printWords(this.#cleaner.push(text));
    this.#markdown ??= markdown.stream();
    this.#markdown.push(this.#cleaner.push(text));
    this.#eraseLive(markdown);
    this.#printLines(this.#markdown.take(this.#page(markdown)));
    // The rest may still change, so it is redrawn with the next text.
    const live = this.#markdown.live(this.#page(markdown)).slice(1 - markdown.size().rows);
    if (live.length > 0) this.#options.write(live.join('\n'));
    this.#live = live.length;
  }

  /** Prints a piece of a thought. */
  think(voice: string, text: string): void {
    if (voice !== this.#speaking) this.freshLine();
    this.#speaking = voice;
    const clean = this.#cleaner.push(text);
    if (clean !== '') this.#print(this.#options.paint('dim', clean), clean.endsWith('\n'));
  }

  /** Ends the message and prints a line. */
  line(line: string): void {
    this.freshLine();
    this.#print(`${line}\n`);
  }

  /** Ends the message, and starts a new line; withheld blank lines are dropped or printed. */
  freshLine(): void {
    this.#speaking = undefined;
    const { markdown } = this.#options;
    if (this.#markdown && markdown) {
      this.#eraseLive(markdown);
      this.#markdown.push(this.#cleaner.end());
      this.#printLines(this.#markdown.end(this.#page(markdown)));
      this.#markdown = undefined;
    } else this.#printWords(this.#cleaner.end());
    this.#blankLines = '';
    if (!this.#atLineStart) this.#print('\n');
  }

  #eraseLive({ erase }: MarkdownDrawing): void {
    if (this.#live > 0) erase(this.#live);
    this.#live = 0;
  }

  #page({ size }: MarkdownDrawing): Page {
    return { width: size().columns, paint: this.#options.paint };
  }

  #printLines(lines: readonly string[]): void {
    for (const line of lines) this.#print(`${line}\n`);
  }

  /** Blank lines at the end of a message are printed only if the message continues. */
  #printWords(words: string): void {
    const text = this.#blankLines + words;
    // A pattern would look for the end after each of many line breaks.
    let end = text.length;
    while (text[end - 1] === '\n') end--;
    const isBlank = end === 0 && this.#atLineStart;
    const shown = text.slice(0, isBlank ? 0 : end + 1);
    this.#blankLines = text.slice(shown.length);
    this.#print(shown);
  }

  #print(text: string, endsLine: boolean = text.endsWith('\n')): void {
    if (text === '') return;
    this.#options.write(text);
    this.#atLineStart = endsLine;
  }
}
