import type { AgentSubject } from '../agent/agent-subject.ts';
import type { JournalEntry } from '../wire/messages.ts';
import type { FuzzFault } from './fuzz-fault.ts';
import { type FuzzCase, FuzzCases } from './fuzz-case.ts';
import { fuzzRun } from './fuzz-run.ts';
import type { FuzzStep } from './fuzz-step.ts';

/** Options for fuzzing an agent. All have defaults. */
export interface FuzzOptions {
  /** How many seconds to search for a fault. Default 60. Minimising it takes at most as long again. */
  readonly seconds?: number;
  /** Maximum number of sequences. Default: no limit. */
  readonly runs?: number;
  /** The random seed: the same seed repeats a search. Default: a new one each time. */
  readonly seed?: number;
  /** The `path` of a failure, to reproduce it with the `seed` of its report. Then only this sequence is run. */
  readonly path?: string;
  /** How long to wait for an answer, in milliseconds. Default 10,000. */
  readonly timeout?: number;
  /** Methods that are never called. Default: `logout`, because the user would have to log in again. */
  readonly without?: readonly string[];
  /** The login to use if the agent requires one. */
  readonly authMethod?: string;
  /** Receives progress after each sequence: the number of sequences, and of their lines. */
  readonly onRun?: (progress: FuzzProgress) => void;
  /** Ends the search early; faults found so far are reported. */
  readonly signal?: AbortSignal;
}

/** The extent of a search so far. */
export interface FuzzProgress {
  /** The number of sequences that were run. */
  readonly runs: number;
  /** The number of lines that were sent. */
  readonly lines: number;
}

/** The result of fuzzing an agent. */
export interface FuzzReport extends FuzzProgress {
  readonly subject: string;
  readonly seed: number;
  /** In milliseconds. */
  readonly duration: number;
  /** Absent if no fault was found. */
  readonly failure?: FuzzFailure;
}

/** A minimised sequence that shows a fault. */
export interface FuzzFailure extends FuzzFault {
  /** Identifies the sequence, together with the seed of the report. */
  readonly path: string;
  /** The lines to send, in order. `{session}`, `{folder}` and `"{id}"` stand for a session, a folder and a unique number. */
  readonly steps: readonly FuzzStep[];
  /** All frames of the reproduction. */
  readonly journal: readonly JournalEntry[];
}

/**
 * Sends random input to an agent: calls of every method with valid and invalid values in any order, unknown sessions, odd and repeated
 * ids, lines that are not messages. Whatever it receives, an agent must keep running, answer each request once and nothing else, send
 * only valid messages, and answer a valid request afterwards (JSON-RPC 2.0; protocol: Error Handling). Each sequence runs against a fresh
 * instance in an empty folder. Prompts are sent too, so an agent with a model uses it. Programs and addresses in the input do not exist.
 * Rejects if the agent cannot be started.
 */
export async function fuzzAgent(subject: AgentSubject, options: FuzzOptions = {}): Promise<FuzzReport> {
  const began = performance.now();
  const search = new Search(subject, options);
  const failure = options.path === undefined ? await search.find() : await search.reproduce(options.path);
  return {
    subject: subject.name,
    seed: search.seed,
    ...search.progress,
    duration: performance.now() - began,
    ...(failure !== undefined && { failure }),
  };
}

/** The search for a fault, and then for the smallest sequence that causes it. */
class Search {
  readonly seed: number;
  readonly #subject: AgentSubject;
  readonly #options: FuzzOptions;
  readonly #cases: FuzzCases;
  progress: FuzzProgress = { runs: 0, lines: 0 };

  constructor(subject: AgentSubject, options: FuzzOptions) {
    const { seed = Math.floor(Math.random() * 2 ** 31), without = ['logout'], authMethod } = options;
    this.seed = seed;
    this.#subject = subject;
    this.#options = options;
    this.#cases = new FuzzCases(seed, { without, authMethod });
  }

  /** The smallest sequence that fails; undefined if none was found in time. */
  async find(): Promise<FuzzFailure | undefined> {
    const { runs = Number.MAX_SAFE_INTEGER } = this.#options;
    const isOver = this.#clock();
    for (let run = 0; run < runs && !isOver(); run++) {
      const tried = this.#cases.whole(run);
      const failure = await this.#failureOf(tried);
      if (failure !== undefined) return this.#smallest(tried, failure);
    }
    return undefined;
  }

  /** The fault in the sequence of a path; undefined if there is none. */
  async reproduce(path: string): Promise<FuzzFailure | undefined> {
    const wanted = this.#cases.caseOf(path);
    return wanted && this.#failureOf(wanted);
  }

  /** Removes and simplifies steps as long as the same fault remains and time is left. */
  async #smallest(first: FuzzCase, failure: FuzzFailure): Promise<FuzzFailure> {
    const isOver = this.#clock();
    let smallest = failure;
    await this.#cases.simplest(first, async (simpler) => {
      // An agent that can no longer be started is an equally serious fault.
      const found = isOver() ? undefined : await this.#failureOf(simpler).catch(() => undefined);
      // A different fault does not count.
      if (found?.rule !== failure.rule) return false;
      smallest = found;
      return true;
    });
    return smallest;
  }

  /** Returns a function that reports whether the search is out of time or aborted. */
  #clock(): () => boolean {
    const { seconds = 60, signal } = this.#options;
    const end = performance.now() + seconds * 1000;
    return () => signal?.aborted === true || performance.now() >= end;
  }

  async #failureOf(tried: FuzzCase): Promise<FuzzFailure | undefined> {
    const steps = this.#cases.stepsOf(tried);
    const { fault, journal } = await fuzzRun(this.#subject, steps, this.#options.timeout ?? 10_000);
    // Aborting the search also ends the agent.
    if (this.#options.signal?.aborted === true) return undefined;
    const { runs, lines } = this.progress;
    this.progress = { runs: runs + 1, lines: lines + steps.filter((step) => 'line' in step).length };
    this.#options.onRun?.(this.progress);
    return fault && { ...fault, path: this.#cases.pathOf(tried), steps, journal };
  }
}
