import type { CreateElicitationRequest, CreateElicitationResponse, SessionUpdate } from '@turnwire/protocol';
import type { Format } from '../options.ts';
import { type Asking, type AskUser, askUser } from '../questions/ask-user.ts';
import type { Stopping } from '../stopping.ts';
import { TypedLines } from '../terminal/lines.ts';
import { stderr, stdout } from '../terminal/output.ts';
import { jsonFrames } from './json-frames.ts';
import { OutputDrain } from './output-drain.ts';
import { ReadSuppressor } from './read-suppressor.ts';
import { QuietView } from './quiet-view.ts';
import { terminalElicitation } from '../questions/terminal-elicitation.ts';
import { TextView } from './text-view.ts';
import { ToolCalls } from './tool-calls.ts';
import type { View } from './view.ts';

/** Shows a turn in the requested format, and asks the user its questions. */
export interface TurnScreen {
  readonly calls: ToolCalls;
  readonly view: View;
  /** Shows a frame, in the format json. A returned promise means that our reader is slow, and resolves when it has caught up. */
  frame(frame: string): Promise<void> | undefined;
  /** Shows an update, in the formats text and quiet. A returned promise means the same. */
  update(update: SessionUpdate): Promise<void> | undefined;
  /** Reports that the turn is over. */
  end(): void;
  /** Asks the user; absent if there is none. */
  readonly ask?: AskUser;
  /** Asks the user a question of the agent; absent if there is no user. */
  readonly elicit?: ElicitUser;
}

/** Asks the user a question of the agent, of either mode. */
type ElicitUser = (request: CreateElicitationRequest, signal: AbortSignal) => Promise<CreateElicitationResponse>;

const write = (text: string): void => stdout.print(text);
const columns = (): number | undefined => stdout.size?.columns;
/** The width of a terminal that does not report it, in columns. */
const widest = 80;
const silence: View = { update: () => undefined, question: () => undefined, end: () => undefined };

/** Prints to stdout, and asks on stderr if there is a user at it. */
export function openScreen(
  { format, suppressReads }: { readonly format: Format; readonly suppressReads?: true | undefined },
  stopping: Stopping,
): TurnScreen {
  const calls = new ToolCalls();
  const drain = new OutputDrain(stdout, stopping.signal);
  const view = viewOf(format);
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
    end: () => view.end(calls.clear()),
    ...(asking && questions(asking)),
  };
}

/** One question at a time, of either kind. */
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

function viewOf(format: Format): View {
  if (format === 'json') return silence;
  return format === 'quiet'
    ? new QuietView(write)
    : new TextView({ write, columns, paint: stdout.paint, detailed: false });
}

function askingOn({ view, calls }: Pick<TurnScreen, 'view' | 'calls'>, stopping: Stopping): Asking | undefined {
  if (!process.stdin.isTTY || !stderr.isTerminal) return undefined;
  return {
    lines: new TypedLines({ input: process.stdin, output: stderr }),
    write: (text) => stderr.print(text),
    paint: stderr.paint,
    width: stderr.size?.columns || widest,
    onQuestion: (question) => view.question(calls.asked(question)),
    freshLine: () => view.question(),
    onInterrupt: stopping.interrupt,
  };
}
