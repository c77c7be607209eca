import { type TraceEvent, TraceDescription, type TraceProblem } from '@turnwire/trace';
import { followTrace, traceItems } from '@turnwire/trace/node';
import { exitCodes } from '../../exit-codes.ts';
import type { GlobalOptions } from '../../options.ts';
import { stdout } from '../../terminal/output.ts';
import { type TraceFilter, WantedEvents } from './trace-filter.ts';
import { unreadable } from './unreadable.ts';

/** The options of `trace view`. */
export interface ViewOptions extends TraceFilter {
  /** Keep printing new lines until Ctrl-C. */
  readonly follow?: true | undefined;
}

/** Prints a trace, one line per event. Resolves with the exit code. */
export async function viewTrace(path: string, options: ViewOptions, { format }: GlobalOptions): Promise<number> {
  const view = new TraceView(options, format === 'json');
  await (options.follow ? follow(path, view) : viewAll(path, view)).catch((error: unknown) => {
    throw unreadable(path, error);
  });
  return exitCodes.ok;
}

/** Prints a whole trace. Its problems come last, so that they stay visible. */
async function viewAll(path: string, view: TraceView): Promise<void> {
  const problems: TraceProblem[] = [];
  for await (const item of traceItems(path)) {
    if (item.type === 'event') view.event(item.event);
    if (item.type === 'problem') problems.push(item.problem);
    // The reader closed the pipe on purpose.
    if (stdout.isBroken) return;
  }
  for (const problem of problems) view.problem(problem);
}

async function follow(path: string, view: TraceView): Promise<void> {
  const stop = new AbortController();
  const end = (): void => stop.abort();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, end);
  // The reader closed the pipe on purpose.
  stdout.on('error', end);
  for await (const item of followTrace(path, stop.signal)) {
    if (item.type === 'event') view.event(item.event);
    if (item.type === 'problem') view.problem(item.problem);
  }
}

/** Prints the selected lines of a trace as they arrive. */
class TraceView {
  readonly #description = new TraceDescription();
  readonly #wanted: WantedEvents;
  readonly #isJson: boolean;

  constructor(filter: TraceFilter, isJson: boolean) {
    this.#wanted = new WantedEvents(filter);
    this.#isJson = isJson;
  }

  event(event: TraceEvent): void {
    // Describe every event, because the duration of an answer depends on its request.
    const line = this.#description.line(event);
    if (!this.#wanted.has(event)) return;
    if (this.#isJson) stdout.printJson(JSON.stringify(event));
    else stdout.printLine(line);
  }

  problem(problem: TraceProblem): void {
    if (this.#isJson || this.#wanted.isFiltering) return;
    stdout.printLine(this.#description.problem(problem));
  }
}
