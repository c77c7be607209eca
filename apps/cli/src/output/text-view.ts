import type { Notice, PlanEntry, SessionUpdate, SubagentUpdate, UnknownVariant } from '@turnwire/protocol';
import { cleanLine } from '../terminal/clean-text.ts';
import { CallOutput } from './call-output.ts';
import { contentText, isCallOver, noticeText } from '@turnwire/client/view';
import { PrintedText, type PrintedTextOptions } from './printed-text.ts';
import type { ToolCallChange, ToolCallView } from './tool-calls.ts';
import { diffBlock, finishedLine, startedLine, unfinishedLine } from './tool-lines.ts';
import type { View } from './view.ts';

/** The options of a text view. */
export interface TextViewOptions extends PrintedTextOptions {
  /** Whether to show thoughts and informational notices as well. */
  readonly detailed: boolean;
  /** The parts of tool calls to leave out. */
  readonly hidden?: readonly ('output' | 'diffs')[] | undefined;
}

/** Prints a turn as it runs: the agent's text as it arrives, with tool calls and plan entries as short lines in between. */
export class TextView implements View {
  readonly #options: TextViewOptions;
  readonly #text: PrintedText;
  readonly #shown = new Set<string>();
  /** Calls whose line is not printed yet: a printed line cannot change, so it waits for the call's final title. */
  readonly #waiting = new Set<string>();
  /** The outputs of running calls by call id. */
  readonly #outputs = new Map<string, CallOutput>();
  /** The call whose output was printed last. */
  #printing: string | undefined;
  #plan: readonly string[] = [];
  /** The child sessions by id. */
  readonly #children = new Map<string, { readonly title: string; readonly isOver: boolean | undefined }>();

  constructor(options: TextViewOptions) {
    this.#options = options;
    this.#text = new PrintedText(options);
  }

  update(update: SessionUpdate, call: ToolCallChange | undefined): void {
    if (call) return this.#toolCall(call);
    switch (update.sessionUpdate) {
      case 'agent_message_chunk':
        return this.#text.speak(`message ${update.messageId ?? ''}`, contentText(update.content));
      case 'agent_thought_chunk':
        return this.#options.detailed
          ? this.#text.think(`thought ${update.messageId ?? ''}`, contentText(update.content))
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
    this.#text.freshLine();
    this.#shown.clear();
    this.#waiting.clear();
    this.#outputs.clear();
    this.#plan = [];
  }

  question(call?: ToolCallView): void {
    if (call) this.#start(call);
    if (call) this.#shown.add(call.toolCallId);
    this.#text.freshLine();
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
    for (const line of rest) this.#line(line);
    const hasDiffs = call.state === 'completed' && !this.#shown.has(id) && !hidden.includes('diffs');
    if (hasDiffs) for (const line of diffBlock(call, paint)) this.#line(line);
  }

  /** Prints the new output of a running call. */
  #grow(call: ToolCallView): void {
    const { paint, hidden = [] } = this.#options;
    if (!showsOutput(call) || hidden.includes('output')) return;
    const id = call.toolCallId;
    const lines = this.#outputOf(id).growing(call, paint);
    if (lines.length === 0) return;
    if (this.#printing !== id) this.#line(startedLine(call, paint));
    for (const line of lines) this.#line(line);
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
    for (const line of plan.filter((each, index) => each !== this.#plan[index])) this.#line(line);
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

  #line(line: string): void {
    this.#printing = undefined;
    this.#text.line(line);
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
