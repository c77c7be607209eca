import { type TraceEvent, TraceDescription, type TraceProblem } from '@turnwire/trace';
import { followTrace, traceItems } from '@turnwire/trace/node';
import { exitCodes } from '../../exit-codes.ts';
import type { GlobalOptions } from '../../options.ts';
import { stdout } from '../../terminal/output.ts';
import { type TraceFilter, WantedEvents } from './trace-filter.ts';
import { unreadable } from './unreadable.ts';

/** How to print a trace. */
export interface ViewOptions extends TraceFilter {
  /** Go on printing what is written, until Ctrl-C. */
  readonly follow?: true | undefined;
}

/** Prints a trace, a line for each of its lines. Resolves with the exit code. */
export async function viewTrace(path: string, options: ViewOptions, { format }: GlobalOptions): Promise<number> {
  const view = new TraceView(options, format === 'json');
  await (options.follow ? follow(path, view) : viewAll(path, view)).catch((error: unknown) => {
    throw unreadable(path, error);
  });
  return exitCodes.ok;
}

/** What is wrong with the trace comes last, where it is seen. */
async function viewAll(path: string, view: TraceView): Promise<void> {
  const problems: TraceProblem[] = [];
  for await (const item of traceItems(path)) {
    if (item.type === 'event') view.event(item.event);
    if (item.type === 'problem') problems.push(item.problem);
    // Whoever read our output has seen enough.
    if (stdout.isBroken) return;
  }
  for (const problem of problems) view.problem(problem);
}

async function follow(path: string, view: TraceView): Promise<void> {
  const stop = new AbortController();
  const end = (): void => stop.abort();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, end);
  // Whoever read our output has seen enough.
  stdout.on('error', end);
  for await (const item of followTrace(path, stop.signal)) {
    if (item.type === 'event') view.event(item.event);
    if (item.type === 'problem') view.problem(item.problem);
  }
}

/** Prints what is wanted of a trace as it comes. */
class TraceView {
  readonly #description = new TraceDescription();
  readonly #wanted: WantedEvents;
  readonly #isJson: boolean;

  constructor(filter: TraceFilter, isJson: boolean) {
    this.#wanted = new WantedEvents(filter);
    this.#isJson = isJson;
  }

  event(event: TraceEvent): void {
    // All of them are described, for how long an answer took is known by its request.
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
