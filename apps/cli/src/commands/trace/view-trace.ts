import { followTrace, type TraceEvent, TraceDescription, type TraceProblem } from '@agentwire/transports/trace';
import { exitCodes } from '../../exit-codes.ts';
import type { GlobalOptions } from '../../options.ts';
import { cleanJson, cleanText } from '../../terminal/clean-text.ts';
import { type TraceFilter, WantedEvents } from './trace-filter.ts';
import { readableTrace, unreadable } from './unreadable.ts';

/** How to print a trace. */
export interface ViewOptions extends TraceFilter {
  /** Go on printing what is written, until Ctrl-C. */
  readonly follow?: true | undefined;
}

/** Prints a trace, a line for each of its lines. Resolves with the exit code. */
export async function viewTrace(path: string, options: ViewOptions, { format }: GlobalOptions): Promise<number> {
  const view = new TraceView(options, format === 'json');
  if (options.follow) return follow(path, view);
  const { events, problems } = await readableTrace(path);
  for (const event of events) {
    // Whoever read our output has seen enough.
    if (process.stdout.errored) break;
    view.event(event);
  }
  for (const problem of problems) view.problem(problem);
  return exitCodes.ok;
}

async function follow(path: string, view: TraceView): Promise<number> {
  const stop = new AbortController();
  const end = (): void => stop.abort();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, end);
  // Whoever read our output has seen enough.
  process.stdout.once('error', end);
  try {
    for await (const item of followTrace(path, stop.signal)) {
      if (item.type === 'event') view.event(item.event);
      if (item.type === 'problem') view.problem(item.problem);
    }
  } catch (error) {
    throw unreadable(path, error);
  }
  return exitCodes.ok;
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
    process.stdout.write(`${this.#isJson ? cleanJson(JSON.stringify(event)) : cleanText(line)}\n`);
  }

  problem(problem: TraceProblem): void {
    if (this.#isJson || this.#wanted.isFiltering) return;
    process.stdout.write(`${cleanText(this.#description.problem(problem))}\n`);
  }
}
