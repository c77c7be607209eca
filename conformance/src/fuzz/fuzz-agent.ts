import fc, { type RunDetails } from 'fast-check';
import type { AgentSubject } from '../agent/agent-subject.ts';
import type { JournalEntry } from '../wire/journal.ts';
import type { FuzzFault } from './fuzz-fault.ts';
import { type FuzzRun, fuzzRun } from './fuzz-run.ts';
import type { FuzzStep } from './fuzz-step.ts';
import { fuzzSteps } from './fuzz-steps.ts';

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
  const path = options.path ?? (await search.find());
  const failure = path === undefined ? undefined : await search.shrink(path);
  return {
    subject: subject.name,
    seed: search.seed,
    ...search.progress,
    duration: performance.now() - began,
    ...(failure !== undefined && { failure }),
  };
}

type Details = RunDetails<[readonly FuzzStep[]]>;

interface Found {
  readonly steps: readonly FuzzStep[];
  readonly fault: FuzzFault;
  readonly journal: readonly JournalEntry[];
}

/** Somebody wants the search to end. */
class Interrupted extends Error {}

/** The search for a fault, and then for the smallest sequence that has it. */
class Search {
  readonly seed: number;
  readonly #subject: AgentSubject;
  readonly #options: FuzzOptions;
  readonly #limit: number;
  #progress: FuzzProgress = { runs: 0, lines: 0 };
  /** The failing sequence of last: while it is made smaller each one that fails is smaller than the ones before. */
  #found: Found | undefined;
  #running: Promise<FuzzRun> | undefined;

  constructor(subject: AgentSubject, options: FuzzOptions) {
    const { seed = Math.floor(Math.random() * 2 ** 31), seconds = 60 } = options;
    this.seed = seed;
    this.#subject = subject;
    this.#options = options;
    this.#limit = seconds * 1000;
  }

  get #isAborted(): boolean {
    return this.#options.signal?.aborted === true;
  }

  get progress(): FuzzProgress {
    return this.#progress;
  }

  /** The path of a sequence that fails; undefined if none was found. */
  async find(): Promise<string | undefined> {
    const { runs = Number.MAX_SAFE_INTEGER } = this.#options;
    const { counterexamplePath, errorInstance } = await this.#check({ numRuns: runs, endOnFailure: true });
    if (this.#found !== undefined) return counterexamplePath ?? undefined;
    if (errorInstance instanceof Error && !(errorInstance instanceof Interrupted)) throw errorInstance;
    return undefined;
  }

  /** The smallest sequence that fails as the one of this path does; undefined if that does not fail. */
  async shrink(path: string): Promise<FuzzFailure | undefined> {
    const first = this.#found;
    const { counterexamplePath } = await this.#check({ numRuns: 1, path });
    const found = this.#found ?? first;
    if (found === undefined) return undefined;
    const { fault, steps, journal } = found;
    return { ...fault, path: counterexamplePath ?? path, steps, journal };
  }

  /** Tries until something fails, or the time is over. Nothing runs any more when it resolves. */
  async #check(parameters: {
    readonly numRuns: number;
    readonly path?: string;
    readonly endOnFailure?: boolean;
  }): Promise<Details> {
    const { without = ['logout'], authMethod } = this.#options;
    const property = fc.asyncProperty(fuzzSteps({ without, authMethod }), (steps) => this.#isRight(steps));
    const details = await fc.check(property, { ...parameters, seed: this.seed, interruptAfterTimeLimit: this.#limit });
    await this.#running?.catch(() => undefined);
    return details;
  }

  async #isRight(steps: readonly FuzzStep[]): Promise<boolean> {
    if (this.#isAborted) return this.#interrupted();
    this.#running = fuzzRun(this.#subject, steps, this.#options.patience ?? 10_000);
    const { fault, journal } = await this.#running;
    // Whoever ended the search ended the agent, too.
    if (this.#isAborted) return this.#interrupted();
    this.#count(steps);
    // Another fault than the first is another story.
    if (fault === undefined || (this.#found !== undefined && this.#found.fault.rule !== fault.rule)) return true;
    this.#found = { steps, fault, journal };
    return false;
  }

  /** What was found stays as it is; without anything found the search ends. */
  #interrupted(): true {
    if (this.#found === undefined) throw new Interrupted();
    return true;
  }

  #count(steps: readonly FuzzStep[]): void {
    const { runs, lines } = this.#progress;
    this.#progress = { runs: runs + 1, lines: lines + steps.filter((step) => 'line' in step).length };
    this.#options.onRun?.(this.#progress);
  }
}
