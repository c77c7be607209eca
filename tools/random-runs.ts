/** How many random cases are tried. */
export interface RandomRuns {
  /** In everyday runs: the fewest that still find the errors that the property is made for. */
  readonly usual: number;
  /** In CI, and times `TURNWIRE_FUZZ_RUNS` if that is set. */
  readonly whole: number;
}

const times = process.env['TURNWIRE_FUZZ_RUNS'];

/** Whether `TURNWIRE_FUZZ_RUNS` is set. */
export const hasManyRuns: boolean = times !== undefined;

/** How many random cases to try in this run. */
export function randomRuns({ usual, whole }: RandomRuns): number {
  if (times === undefined) return usual;
  const factor = Number(times);
  if (!(factor > 0))
    throw new Error(
      `TURNWIRE_FUZZ_RUNS is ${times}; set it to a positive factor for the number of random cases, such as 1 or 10`,
    );
  return Math.ceil(whole * factor);
}
