/** Options of {@link backOff}. */
export interface BackOff {
  /** Milliseconds before the second attempt; it doubles from there. Default 1,000. */
  readonly first?: number | undefined;
  /** The longest delay in milliseconds. Default: unlimited. */
  readonly most?: number | undefined;
  /** The maximum fraction by which a random amount shortens a delay, so that callers that failed together do not retry together. Default 0.25. */
  readonly jitter?: number | undefined;
  /** A number from 0 to 1. Default: a random one. */
  readonly random?: (() => number) | undefined;
}

/** The delays before the second attempt and all after it, in milliseconds, without end: a success needs a new sequence. */
export function* backOff({
  first = 1000,
  most = Infinity,
  jitter = 0.25,
  random = Math.random,
}: BackOff = {}): Generator<number, never, undefined> {
  for (let delay = first; ; delay *= 2) yield Math.round(Math.min(delay, most) * (1 - jitter * random()));
}
