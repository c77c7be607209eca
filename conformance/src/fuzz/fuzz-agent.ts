import type { AgentSubject } from '../agent/agent-subject.ts';
import type { JournalEntry } from '../wire/journal.ts';
import type { FuzzFault } from './fuzz-fault.ts';
import { type FuzzCase, FuzzCases } from './fuzz-case.ts';
import { fuzzRun } from './fuzz-run.ts';
import type { FuzzStep } from './fuzz-step.ts';

/** How an agent is fuzzed. Everything has a default. */
export interface FuzzOptions {
  /** How long a fault is looked for. Default 60. A fault that is found is made small in as long again at most. */
  readonly seconds?: number;
  /** How many sequences are tried at most. Default: as many as there is time for. */
  readonly runs?: number;
  /** What chance begins with: the same seed does the same things. Default: another one each time. */
  readonly seed?: number;
  /** The `path` of a failure, to see it again; with the `seed` of its report. Nothing else is tried then. */
  readonly path?: string;
  /** How long an answer is waited for, in milliseconds. Default 10,000. */
  readonly patience?: number;
  /** Methods that are never called. Default: `logout`, since somebody would have to log in again. */
  readonly without?: readonly string[];
  /** The login to use where the agent wants one. */
  readonly authMethod?: string;
  /** Hears of each sequence when it is over: how many there were, and how many lines they had. */
  readonly onRun?: (progress: FuzzProgress) => void;
  /** Ends the search early; what was found by then is reported. */
  readonly signal?: AbortSignal;
}

/** How much was tried. */
export interface FuzzProgress {
  /** Sequences. */
  readonly runs: number;
  /** Lines that were sent. */
  readonly lines: number;
}

/** What came of fuzzing an agent. */
export interface FuzzReport extends FuzzProgress {
  readonly subject: string;
  readonly seed: number;
  /** In milliseconds. */
  readonly duration: number;
  /** Absent: nothing was found in this time. */
  readonly failure?: FuzzFailure;
}

/** A sequence that shows a fault, as small as it could be made. */
export interface FuzzFailure extends FuzzFault {
  /** With the seed of the report: how to see it again. */
  readonly path: string;
  /** What to send, in order: `{session}`, `{folder}` and `"{id}"` stand for a session, a folder and a number of their own. */
  readonly steps: readonly FuzzStep[];
  /** Everything that went over the wire then. */
  readonly journal: readonly JournalEntry[];
}

/**
 * Does random things to an agent: calls of every method with values that fit and values that do not, wrong order, unknown sessions, odd
 * and repeated ids, lines that are no messages. Whatever it is, an agent lives on, answers each request once and nothing else, says
 * nothing that is not valid, and answers a sane request afterwards (JSON-RPC 2.0; protocol: Error Handling). Each sequence meets a fresh
 * instance in an empty folder. Prompts are sent too: an agent with a model uses it. Programs and addresses in what is sent do not exist.
 * Rejects if the agent cannot be started.
 */
export async function fuzzAgent(subject: AgentSubject, options: FuzzOptions = {}): Promise<FuzzReport> {
  const began = performance.now();
  const search = new Search(subject, options);
  const failure = options.path === undefined ? await search.find() : await search.seeAgain(options.path);
  return {
    subject: subject.name,
    seed: search.seed,
    ...search.progress,
    duration: performance.now() - began,
    ...(failure !== undefined && { failure }),
  };
}

/** The search for a fault, and then for the smallest sequence that has it. */
class Search {
  readonly seed: number;
  readonly #subject: AgentSubject;
  readonly #options: FuzzOptions;
  readonly #cases: FuzzCases;
  #progress: FuzzProgress = { runs: 0, lines: 0 };

  constructor(subject: AgentSubject, options: FuzzOptions) {
    const { seed = Math.floor(Math.random() * 2 ** 31), without = ['logout'], authMethod } = options;
    this.seed = seed;
    this.#subject = subject;
    this.#options = options;
    this.#cases = new FuzzCases(seed, { without, authMethod });
  }

  get progress(): FuzzProgress {
    return this.#progress;
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

  /** What the sequence of a path fails with; undefined if it does not. */
  async seeAgain(path: string): Promise<FuzzFailure | undefined> {
    const wanted = this.#cases.caseOf(path);
    return wanted && this.#failureOf(wanted);
  }

  /** Takes away and simplifies for as long as it fails in the same way, and there is time. */
  async #smallest(first: FuzzCase, failure: FuzzFailure): Promise<FuzzFailure> {
    const isOver = this.#clock();
    let smallest = failure;
    await this.#cases.simplest(first, async (simpler) => {
      // An agent that can no longer be started is no smaller fault.
      const found = isOver() ? undefined : await this.#failureOf(simpler).catch(() => undefined);
      // Another fault than the first is another story.
      if (found?.rule !== failure.rule) return false;
      smallest = found;
      return true;
    });
    return smallest;
  }

  /** Tells when the time of a search is over, or somebody wants it to end. */
  #clock(): () => boolean {
    const { seconds = 60, signal } = this.#options;
    const end = performance.now() + seconds * 1000;
    return () => signal?.aborted === true || performance.now() >= end;
  }

  async #failureOf(tried: FuzzCase): Promise<FuzzFailure | undefined> {
    const steps = this.#cases.stepsOf(tried);
    const { fault, journal } = await fuzzRun(this.#subject, steps, this.#options.patience ?? 10_000);
    // Whoever ended the search ended the agent, too.
    if (this.#options.signal?.aborted === true) return undefined;
    this.#count(steps);
    return fault && { ...fault, path: this.#cases.pathOf(tried), steps, journal };
  }

  #count(steps: readonly FuzzStep[]): void {
    const { runs, lines } = this.#progress;
    this.#progress = { runs: runs + 1, lines: lines + steps.filter((step) => 'line' in step).length };
    this.#options.onRun?.(this.#progress);
  }
}
