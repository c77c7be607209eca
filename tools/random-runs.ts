/** How many random cases are tried. */
export interface RandomRuns {
  /** While people work: as few as still find what each property is there to find. */
  readonly usual: number;
  /** In CI, and whenever `TURNWIRE_FUZZ_RUNS` says how many times as many. */
  readonly whole: number;
}

const times = process.env['TURNWIRE_FUZZ_RUNS'];

/** Whether more than the usual random cases were asked for. */
export const hasManyRuns: boolean = times !== undefined;

/** How many random cases to try in this run. */
export function randomRuns({ usual, whole }: RandomRuns): number {
  if (times === undefined) return usual;
  const factor = Number(times);
  if (!(factor > 0))
    throw new Error(`TURNWIRE_FUZZ_RUNS is ${times}; it says how many times as many random cases are tried: 1, or 10`);
  return Math.ceil(whole * factor);
}
