/** How long a model may take, and how often it is asked. */
export interface StreamLimits {
  /** Milliseconds until something of the answer can be seen, counted anew with every sign of life. Default 120,000. */
  readonly firstByte: number;
  /** Milliseconds between two signs of life from then on. Default 60,000. */
  readonly idle: number;
  /** How often a call is tried in all. Default 5. */
  readonly attempts: number;
  /** Milliseconds before the second attempt; it doubles from there, less up to a half by chance. Default 1,000. */
  readonly firstPause: number;
  /** Milliseconds between two attempts at most. A server that wants more is not asked again. Default 60,000. */
  readonly longestPause: number;
}

/** What holds unless something else is said. */
export const defaultStreamLimits: StreamLimits = {
  firstByte: 120_000,
  idle: 60_000,
  attempts: 5,
  firstPause: 1_000,
  longestPause: 60_000,
};
