import type {
  CreateElicitationRequest,
  CreateElicitationResponse,
  SessionUpdate,
  ToolCallUpdate,
} from '@turnwire/protocol';
import type { TranscriptEvent } from '@turnwire/client/transcript';
import type { Format } from '../options.ts';
import { type Asking, type AskUser, askUser } from '../questions/ask-user.ts';
import type { Stopping } from '../stopping.ts';
import { TypedLines } from '../terminal/lines.ts';
import { frame } from '../terminal/frame.ts';
import { stderr, stdout } from '../terminal/output.ts';
import { OutputDrain } from './output-drain.ts';
import { ReadSuppressor } from './read-suppressor.ts';
import { QuietView } from './quiet-view.ts';
import { terminalElicitation } from '../questions/terminal-elicitation.ts';
import { TextView, type TextViewOptions } from './text-view.ts';
import { ToolCalls } from './tool-calls.ts';
import type { View } from './view.ts';

/** Shows a turn in the requested format and asks the user its questions. */
export interface TurnScreen {
  readonly calls: ToolCalls;
  readonly view: View;
  /** Shows a frame in the format json. A returned promise signals backpressure, and resolves when the reader has caught up. */
  frame(frame: string): Promise<void> | undefined;
  /** Shows an update in the formats text and quiet. A returned promise signals backpressure. */
  update(update: SessionUpdate): Promise<void> | undefined;
  /** Shows the output of a tool call's terminal in the format text. A returned promise signals backpressure. */
  terminal(event: TerminalEvent): Promise<void> | undefined;
  /** Records the call of a permission request in the formats text and quiet. */
  permissionAsked(toolCall: ToolCallUpdate): void;
  /** Reports that the turn is over. */
  end(): void;
  /** Asks the user for permission; absent if there is no user. */
  readonly ask?: AskUser;
  /** Asks the user a question of the agent; absent if there is no user. */
  readonly elicit?: ElicitUser;
}

type TerminalEvent = TranscriptEvent & { readonly type: 'terminal' };

/** The parts of a turn to leave out. */
export interface Suppressed {
  readonly suppressReads?: true | undefined;
  readonly suppress?: readonly ('output' | 'diffs')[] | undefined;
}

/** Asks the user a question of the agent, of either mode. */
type ElicitUser = (request: CreateElicitationRequest, signal: AbortSignal) => Promise<CreateElicitationResponse>;

const write = (text: string): void => stdout.print(text);
/** The width of a terminal that does not report it, in columns. */
const defaultColumns = 80;
const silence: View = {
  update: () => undefined,
  output: () => undefined,
  question: () => undefined,
  end: () => undefined,
};

/** Prints to stdout, and asks questions on stderr if a user is at the terminal. */
export async function openScreen(
  { format, suppressReads, suppress }: Suppressed & { readonly format: Format },
  stopping: Stopping,
): Promise<TurnScreen> {
  const calls = new ToolCalls();
  const drain = new OutputDrain(stdout, stopping.signal);
  const isText = format !== 'json' && format !== 'quiet';
  const printed = format === 'quiet' ? new QuietView(write) : silence;
  const view = isText ? await textView({ detailed: false, hidden: suppress }) : printed;
  const print = format === 'json' ? jsonFrames((json) => stdout.printJson(json)) : undefined;
  const suppressor = suppressReads ? new ReadSuppressor() : undefined;
  const asking = askingOn({ view, calls }, stopping);
  return {
    calls,
    view,
    frame: (frame) => {
      print?.(suppressor?.frame(frame) ?? frame);
      return drain.wait();
    },
    update: (update) => {
      view.update(update, calls.take(update));
      return drain.wait();
    },
    terminal: (event) => {
      for (const change of calls.terminal(event)) view.output(change);
      return drain.wait();
    },
    permissionAsked: (toolCall) => calls.permissionAsked(toolCall),
    end: () => view.end(calls.clear()),
    ...(asking && questions(asking)),
  };
}

/** Asks permission questions and elicitations one at a time. */
function questions(asking: Asking): Required<Pick<TurnScreen, 'ask' | 'elicit'>> {
  const ask = askUser(asking);
  const elicitation = terminalElicitation(asking);
  let last: Promise<unknown> = Promise.resolve();
  const next = <Result>(question: () => Promise<Result>): Promise<Result> => {
    const answer = last.then(question);
    last = answer.catch(() => undefined);
    return answer;
  };
  return {
    ask: (view, signal) => next(() => ask(view, signal)),
    elicit: (request, signal) =>
      next(async () => elicitation[request.mode === 'url' ? 'url' : 'form'](request, { roots: [], signal })),
  };
}

/** A view that prints to stdout, and renders the Markdown of the agent at a terminal. */
export async function textView(settings: Pick<TextViewOptions, 'detailed' | 'hidden'>): Promise<TextView> {
  const options = { write, paint: stdout.paint, ...settings };
  if (!stdout.isTerminal) return new TextView(options);
  // Import on demand: scripts do not render Markdown.
  const { MarkdownStream } = await import('./markdown/markdown-stream.ts');
  return new TextView({
    ...options,
    markdown: {
      stream: () => new MarkdownStream(),
      size: () => ({ columns: stdout.size?.columns || defaultColumns, rows: stdout.size?.rows || 2 }),
      erase: (lines) => stdout.draw(lines > 1 ? frame`\r\u001b[${lines - 1}A\u001b[J` : frame`\r\u001b[J`),
    },
  });
}

function askingOn({ view, calls }: Pick<TurnScreen, 'view' | 'calls'>, stopping: Stopping): Asking | undefined {
  if (!process.stdin.isTTY || !stderr.isTerminal) return undefined;
  return {
    lines: new TypedLines({ input: process.stdin, output: stderr }),
    write: (text) => stderr.print(text),
    paint: stderr.paint,
    width: stderr.size?.columns || defaultColumns,
    onQuestion: (question) => view.question(calls.asked(question)),
    freshLine: () => view.question(),
    onInterrupt: stopping.interrupt,
  };
}

/** Prints the frames of both directions in order. Lines that are not JSON are left out. */
function jsonFrames(printJson: (json: string) => void): (frame: string) => void {
  return (frame) => {
    if (isJson(frame)) printJson(frame.trim());
  };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
