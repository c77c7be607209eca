import type { Notice, PlanEntry, SessionUpdate, SubagentUpdate, UnknownVariant } from '@turnwire/protocol';
import { cleanLine, TextCleaner } from '../terminal/clean-text.ts';
import type { Page } from '../terminal/page.ts';
import type { Paint } from '../terminal/paint.ts';
import { CallOutput } from './call-output.ts';
import { contentText, isCallOver, noticeText } from '@turnwire/client/view';
import type { MarkdownStream } from './markdown/markdown-stream.ts';
import type { ToolCallChange, ToolCallView } from './tool-calls.ts';
import { diffBlock, finishedLine, startedLine, unfinishedLine } from './tool-lines.ts';
import type { View } from './view.ts';

/** Draws Markdown on a terminal. */
export interface MarkdownDrawing {
  readonly stream: () => MarkdownStream;
  readonly size: () => { readonly columns: number; readonly rows: number };
  /** Erases this many lines up to the line of the cursor. */
  readonly erase: (lines: number) => void;
}

/** The options of a text view. */
export interface TextViewOptions {
  readonly write: (text: string) => void;
  readonly paint: Paint;
  /** Renders the Markdown of the agent at the width of the terminal. Absent: it is printed unchanged. */
  readonly markdown?: MarkdownDrawing;
  /** Whether to show thoughts and informational notices as well. */
  readonly detailed: boolean;
  /** The parts of tool calls to leave out. */
  readonly hidden?: readonly ('output' | 'diffs')[] | undefined;
}

/** Prints a turn as it runs: the agent's text as it arrives, with tool calls and plan entries as short lines in between. */
export class TextView implements View {
  readonly #options: TextViewOptions;
  readonly #shown = new Set<string>();
  /** Calls whose line is not printed yet: a printed line cannot change, so it waits for the call's final title. */
  readonly #waiting = new Set<string>();
  readonly #cleaner = new TextCleaner();
  /** The current message of the agent. */
  #markdown: MarkdownStream | undefined;
  /** The number of drawn lines of the message that may still change. */
  #live = 0;
  /** The outputs of running calls by call id. */
  readonly #outputs = new Map<string, CallOutput>();
  /** The call whose output was printed last. */
  #printing: string | undefined;
  #speaking: string | undefined;
  #atLineStart = true;
  #blankLines = '';
  #plan: readonly string[] = [];
  /** The child sessions by id. */
  readonly #children = new Map<string, { readonly title: string; readonly isOver: boolean | undefined }>();

  constructor(options: TextViewOptions) {
    this.#options = options;
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
      case 'plan_update':
        return this.#showPlan(update.plan.type === 'items' ? update.plan.entries : []);
      case 'notice':
        return this.#notice(update);
      case 'subagent_update':
        return this.#showChild(update);
      default:
        return void (update satisfies NotPrinted);
    }
  }

  output({ now }: ToolCallChange): void {
    if (!isCallOver(now)) this.#grow(now);
  }

  end(unfinished: readonly ToolCallView[]): void {
    for (const call of unfinished) this.#line(unfinishedLine(call, this.#options.paint));
    this.#freshLine();
    this.#shown.clear();
    this.#waiting.clear();
    this.#outputs.clear();
    this.#plan = [];
    this.#speaking = undefined;
  }

  question(call?: ToolCallView): void {
    if (call) this.#start(call);
    if (call) this.#shown.add(call.toolCallId);
    this.#freshLine();
  }

  #speak(voice: string, text: string): void {
    if (voice !== this.#speaking) this.#freshLine();
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
    const shown = text.replace(/\n+$/, this.#atLineStart && /^\n*$/.test(text) ? '' : '\n');
    this.#blankLines = text.slice(shown.length);
    this.#print(shown);
  }

  #think(voice: string, text: string): void {
    if (voice !== this.#speaking) this.#freshLine();
    this.#speaking = voice;
    const clean = this.#cleaner.push(text);
    if (clean !== '') this.#print(this.#options.paint('dim', clean), clean.endsWith('\n'));
  }

  #toolCall({ before, now }: ToolCallChange): void {
    const id = now.toolCallId;
    const isFinished = isCallOver(now);
    if (!isFinished && !before) this.#waiting.add(id);
    if (!isFinished) {
      // Many agents announce a call by the name of its tool, and send a title once the model has written its input.
      if (now.state !== 'pending' || now.content.length > 0) this.#start(now);
      return this.#grow(now);
    }
    this.#waiting.delete(id);
    if (before?.state !== now.state) this.#finish(now);
  }

  #finish(call: ToolCallView): void {
    const { paint, hidden = [] } = this.#options;
    const id = call.toolCallId;
    const rest = showsOutput(call) && !hidden.includes('output') ? this.#outputOf(id).rest(call, paint) : [];
    this.#outputs.delete(id);
    this.#line(finishedLine(call, paint));
    this.#lines(rest);
    const hasDiffs = call.state === 'completed' && !this.#shown.has(id) && !hidden.includes('diffs');
    if (hasDiffs) this.#lines(diffBlock(call, paint));
  }

  /** Prints the new output of a running call. */
  #grow(call: ToolCallView): void {
    const { paint, hidden = [] } = this.#options;
    if (!showsOutput(call) || hidden.includes('output')) return;
    const id = call.toolCallId;
    const lines = this.#outputOf(id).growing(call, paint);
    if (lines.length === 0) return;
    if (this.#printing !== id) this.#line(startedLine(call, paint));
    this.#lines(lines);
    this.#printing = id;
  }

  #outputOf(id: string): CallOutput {
    const known = this.#outputs.get(id) ?? new CallOutput();
    this.#outputs.set(id, known);
    return known;
  }

  #start(call: ToolCallView): void {
    if (!this.#waiting.delete(call.toolCallId)) return;
    this.#line(startedLine(call, this.#options.paint));
    this.#printing = call.toolCallId;
  }

  #showPlan(entries: readonly PlanEntry[]): void {
    const plan = entries.map(({ content, status }) => `${planMarks[status]} ${cleanLine(content)}`);
    this.#lines(plan.filter((line, index) => line !== this.#plan[index]));
    this.#plan = plan;
  }

  /** A child session that is new, or has ended its work. */
  #showChild({ sessionId, title, state }: SubagentUpdate): void {
    const { paint } = this.#options;
    const known = this.#children.get(sessionId);
    const child = {
      title: title ?? known?.title ?? sessionId,
      isOver: state === undefined ? known?.isOver : state?.state === 'idle',
    };
    this.#children.set(sessionId, child);
    if (known === undefined && child.isOver !== true) this.#line(`${paint('cyan', '◇')} ${cleanLine(child.title)}`);
    if (child.isOver && !known?.isOver) this.#line(`${paint('green', '◇')} ${cleanLine(child.title)} (finished)`);
  }

  #notice(notice: Notice): void {
    const { paint, detailed } = this.#options;
    const { severity } = notice;
    if (severity === 'info' && !detailed) return;
    const style = severity === 'error' ? 'red' : severity === 'warning' ? 'yellow' : 'dim';
    this.#line(paint(style, `! ${cleanLine(noticeText(notice))}`));
  }

  #lines(lines: readonly string[]): void {
    for (const line of lines) this.#line(line);
  }

  #line(line: string): void {
    this.#freshLine();
    this.#speaking = undefined;
    this.#printing = undefined;
    this.#print(`${line}\n`);
  }

  /** Starts a new line; withheld blank lines are dropped or printed. */
  #freshLine(): void {
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

  #print(text: string, endsLine: boolean = text.endsWith('\n')): void {
    if (text === '') return;
    this.#options.write(text);
    this.#atLineStart = endsLine;
  }
}

/** The updates that a turn does not print. A new kind of update does not compile until it is here or in {@link TextView.update}. */
type NotPrinted = Extract<SessionUpdate, { readonly sessionUpdate: NotPrintedKind }> | UnknownVariant<'sessionUpdate'>;

type NotPrintedKind =
  | 'user_message_chunk'
  // A tool call is printed as the change that it makes.
  | 'tool_call'
  | 'tool_call_update'
  | 'available_commands_update'
  | 'current_mode_update'
  | 'config_option_update'
  | 'session_info_update'
  | 'usage_update'
  | 'plan_removed'
  | 'session_message'
  | 'session_message_chunk'
  | 'compaction_update'
  | 'compaction_summary_chunk';

const planMarks = { pending: '[ ]', in_progress: '[>]', completed: '[x]' } as const;

/** Output of reads and searches is for the agent, and edits show their diff. The line of a failed call has its reason; a longer output follows. */
function showsOutput({ kind, state, printed }: ToolCallView): boolean {
  if (kind === 'read' || kind === 'search' || kind === 'edit') return false;
  return state !== 'failed' || printed.trim().includes('\n');
}
