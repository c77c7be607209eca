import type { Notice, PlanEntry, SessionUpdate } from '@turnwire/protocol';
import { cleanLine, TextCleaner } from '../terminal/clean-text.ts';
import { WordWrap } from '../terminal/word-wrap.ts';
import type { Paint } from '../terminal/paint.ts';
import { contentText } from './content-text.ts';
import type { ToolCallChange, ToolCallView } from './tool-calls.ts';
import { diffBlock, finishedLine, startedLine, unfinishedLine } from './tool-lines.ts';
import type { View } from './view.ts';

/** The options of a text view. */
export interface TextViewOptions {
  readonly write: (text: string) => void;
  /** The width of the terminal, at which words are wrapped. Undefined: there is none. */
  readonly columns?: () => number | undefined;
  readonly paint: Paint;
  /** Whether to show the agent's thoughts and the diffs of its edits as well. */
  readonly detailed: boolean;
}

/** Prints a turn as it runs: the agent's text as it arrives, its tool calls and its plan as short lines in between. */
export class TextView implements View {
  readonly #options: TextViewOptions;
  readonly #shown = new Set<string>();
  /** Calls whose line is not printed yet: a printed line cannot change, so it waits for the call's final title. */
  readonly #waiting = new Set<string>();
  readonly #cleaner = new TextCleaner();
  readonly #wrap: WordWrap;
  #speaking: string | undefined;
  #atLineStart = true;
  #blankLines = '';
  #plan: readonly string[] = [];

  constructor(options: TextViewOptions) {
    this.#options = options;
    this.#wrap = new WordWrap(options.columns ?? (() => undefined));
  }

  update(update: SessionUpdate, call: ToolCallChange | undefined): void {
    if (call) return this.#toolCall(call);
    switch (update.sessionUpdate) {
      case 'agent_message_chunk':
        return this.#speak(`message ${update.messageId ?? ''}`, contentText(update.content));
      case 'agent_thought_chunk':
        return this.#options.detailed
          ? this.#think(`thought ${update.messageId ?? ''}`, contentText(update.content))
          : undefined;
      case 'plan':
        return this.#showPlan(update.entries);
      case 'notice':
        return this.#remark(update);
      default:
        return undefined;
    }
  }

  end(unfinished: readonly ToolCallView[]): void {
    for (const call of unfinished) this.#line(unfinishedLine(call, this.#options.paint));
    this.#freshLine();
    this.#shown.clear();
    this.#waiting.clear();
    this.#plan = [];
    this.#speaking = undefined;
  }

  question(call?: ToolCallView): void {
    if (call) this.#start(call);
    if (call) this.#shown.add(call.id);
    this.#freshLine();
  }

  #speak(voice: string, text: string): void {
    if (voice !== this.#speaking) this.#freshLine();
    this.#speaking = voice;
    this.#printWords(this.#cleaner.push(text));
  }

  /** Blank lines at the end of a message are printed only if the message continues. */
  #printWords(words: string): void {
    const text = this.#blankLines + words;
    const shown = text.replace(/\n+$/, this.#atLineStart && /^\n*$/.test(text) ? '' : '\n');
    this.#blankLines = text.slice(shown.length);
    this.#print(this.#wrap.push(shown));
  }

  #think(voice: string, text: string): void {
    if (voice !== this.#speaking) this.#freshLine();
    this.#speaking = voice;
    const clean = this.#cleaner.push(text);
    if (clean !== '') this.#print(this.#options.paint('dim', clean), clean.endsWith('\n'));
  }

  #toolCall({ before, now }: ToolCallChange): void {
    const { paint, detailed } = this.#options;
    const isFinished = now.status === 'completed' || now.status === 'failed';
    if (!isFinished && !before) this.#waiting.add(now.id);
    if (!isFinished)
      // Many agents announce a call by the name of its tool, and send a title once the model has written its input.
      return now.status !== 'pending' || now.content.length > 0 ? this.#start(now) : undefined;
    this.#waiting.delete(now.id);
    if (before?.status === now.status) return;
    this.#line(finishedLine(now, paint));
    if (detailed && now.status === 'completed' && !this.#shown.has(now.id)) this.#lines(diffBlock(now, paint));
  }

  #start(call: ToolCallView): void {
    if (this.#waiting.delete(call.id)) this.#line(startedLine(call, this.#options.paint));
  }

  #showPlan(entries: readonly PlanEntry[]): void {
    const plan = entries.map(({ content, status }) => `${planMarks[status]} ${cleanLine(content)}`);
    this.#lines(plan.filter((line, index) => line !== this.#plan[index]));
    this.#plan = plan;
  }

  #remark({ severity, title, description }: Notice): void {
    const { paint, detailed } = this.#options;
    if (severity === 'info' && !detailed) return;
    const text = [title, description].filter(Boolean).join(' ');
    this.#line(paint(severity === 'error' ? 'red' : severity === 'warning' ? 'yellow' : 'dim', `! ${cleanLine(text)}`));
  }

  #lines(lines: readonly string[]): void {
    for (const line of lines) this.#line(line);
  }

  #line(line: string): void {
    this.#freshLine();
    this.#speaking = undefined;
    this.#print(`${line}\n`);
  }

  /** Starts a new line; withheld blank lines are dropped or printed. */
  #freshLine(): void {
    this.#printWords(this.#cleaner.end());
    this.#print(this.#wrap.end());
    this.#blankLines = '';
    if (!this.#atLineStart) this.#print('\n');
  }

  #print(text: string, endsLine: boolean = text.endsWith('\n')): void {
    if (text === '') return;
    this.#options.write(text);
    this.#atLineStart = endsLine;
  }
}

const planMarks = { pending: '[ ]', in_progress: '[>]', completed: '[x]' } as const;
