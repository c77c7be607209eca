import { Chance } from './chance.ts';
import type { FuzzStep } from './fuzz-step.ts';
import { type StepOptions, stepMakers } from './fuzz-steps.ts';

/** A step of a case: its index in the generated sequence, and its random numbers. */
interface CaseStep {
  readonly index: number;
  /** Default: the numbers that were drawn for it. */
  readonly numbers?: readonly number[];
}

/** A range of the numbers of a step. */
interface Part {
  readonly start: number;
  readonly length: number;
}

/** A random sequence, or the steps that remain of it. */
export interface FuzzCase {
  readonly run: number;
  readonly steps: readonly CaseStep[];
}

export class FuzzCases {
  readonly #seed: number;
  readonly #options: StepOptions;

  constructor(seed: number, options: StepOptions) {
    this.#seed = seed;
    this.#options = options;
  }

  whole(run: number): FuzzCase {
    return { run, steps: this.#makers(run).map((_, index) => ({ index })) };
  }

  stepsOf({ run, steps }: FuzzCase): readonly FuzzStep[] {
    const makers = this.#makers(run);
    return steps.flatMap((step) => makers[step.index]?.(this.#chance(run, step)) ?? []);
  }

  /**
   * Finds the simplest case with the same fault: fewer steps first, then simpler ones. A step that was needed once is not tried again.
   * @param fails whether a case has the fault; also false when the time is up
   */
  async simplest(whole: FuzzCase, fails: (simpler: FuzzCase) => Promise<boolean>): Promise<FuzzCase> {
    const { run } = whole;
    let { steps } = whole;
    const isEnough = async (left: readonly CaseStep[]): Promise<boolean> => {
      const isSame = await fails({ run, steps: left });
      if (isSame) steps = left;
      return isSame;
    };
    for (const length of lengths(steps.length, steps.length))
      for (let start = 0; start < steps.length;)
        if (!(await isEnough([...steps.slice(0, start), ...steps.slice(start + length)]))) start += length;
    for (const nth of steps.keys())
      for (const part of partsOf(this.#numbers(run, steps[nth]).length)) {
        const step = this.#withZeros(run, steps[nth], part);
        if (step !== undefined) await isEnough(steps.with(nth, step));
      }
    return { run, steps };
  }

  /** The path of a case: its run and its remaining steps, for example `12:0,3=1.0.4`. */
  pathOf({ run, steps }: FuzzCase): string {
    const named = steps.map(({ index, numbers }) => (numbers ? `${index}=${numbers.join('.')}` : `${index}`));
    return `${run}:${named.join(',')}`;
  }

  /** Parses a path; undefined if it is invalid. */
  caseOf(path: string): FuzzCase | undefined {
    if (!pathForm.test(path)) return undefined;
    const [run = '', named = ''] = path.split(':');
    const steps = named.split(',').map((each) => {
      const [index, numbers] = each.split('=');
      const changed = numbers === undefined ? {} : { numbers: numbers.split('.').filter(Boolean).map(Number) };
      return { index: Number(index), ...changed };
    });
    return { run: Number(run), steps: named === '' ? [] : steps };
  }

  #makers(run: number): ReturnType<typeof stepMakers> {
    return stepMakers(this.#options, Chance.from(this.#seed, run));
  }

  #chance(run: number, { index, numbers }: CaseStep): Chance {
    return numbers ? Chance.again(numbers) : Chance.from(this.#seed, run, index);
  }

  /** The numbers that a step actually uses. */
  #numbers(run: number, step: CaseStep | undefined): readonly number[] {
    if (step === undefined) return [];
    const chance = this.#chance(run, step);
    this.#makers(run)[step.index]?.(chance);
    return chance.drawn;
  }

  /** The step with a range of its numbers set to zero; undefined if they are all zero already. */
  #withZeros(run: number, step: CaseStep | undefined, { start, length }: Part): CaseStep | undefined {
    const numbers = this.#numbers(run, step);
    const end = start + length;
    if (step === undefined || numbers.slice(start, end).every((number) => number === 0)) return undefined;
    return { ...step, numbers: numbers.map((number, at) => (at >= start && at < end ? 0 : number)) };
  }
}

/** Maximum number of parts into which the numbers of a step are divided: more would take long and simplify little. */
const finest = 8;

function partsOf(count: number): readonly Part[] {
  return lengths(count, finest).flatMap((length) =>
    Array.from({ length: Math.ceil(count / length) }, (_, nth) => ({ start: nth * length, length })),
  );
}

/** Sizes of the parts to remove: half, a quarter, and so on, down to a fraction. */
function lengths(count: number, parts: number): readonly number[] {
  const all = Array.from({ length: 32 }, (_, halvings) => Math.ceil(count / 2 ** (halvings + 1)));
  const least = Math.max(1, Math.ceil(count / parts));
  return count === 0 ? [] : [...new Set(all.filter((length) => length >= least))];
}

const pathForm = /^\d{1,9}:(?:\d{1,3}(?:=[\d.]{0,20000})?(?:,|$))*$/;
