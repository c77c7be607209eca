/** The time limits and attempts of a model call. */
export interface StreamLimits {
  /** Milliseconds until the answer has visible content, restarted by every sign of life. Default 120,000. */
  readonly firstByte: number;
  /** Milliseconds between two signs of life from then on. Default 60,000. */
  readonly idle: number;
  /** How often a call is attempted in total. Default 5. */
  readonly attempts: number;
  /** Milliseconds before the second attempt; it doubles from there, less up to a half by chance. Default 1,000. */
  readonly firstPause: number;
  /** The most milliseconds between two attempts. A server that requests a longer pause gets no retry. Default 60,000. */
  readonly longestPause: number;
}

/** The defaults. */
export const defaultStreamLimits: StreamLimits = {
  firstByte: 120_000,
  idle: 60_000,
  attempts: 5,
  firstPause: 1_000,
  longestPause: 60_000,
};
