/*
 * The answer to session/load arrives on the stream of the connection, the replay on that of the session, and the order of the two streams is
 * not defined. Our server adds a comment, which other clients skip: the number of frames on the session's stream that precede the answer.
 */

/** The frames that precede an answer. */
export interface After {
  readonly sessionId: string;
  /** The number of frames on the session's stream so far. */
  readonly frames: number;
}

/** The comment for an event that follows frames of another stream. */
export function afterComment({ sessionId, frames }: After): string {
  return `:after ${frames} ${JSON.stringify(sessionId)}\n`;
}

/** Parses such a comment; undefined for any other comment. */
export function readAfter(comment: string): After | undefined {
  const [, frames, name] = /^:after (\d{1,15}) (".*")$/.exec(comment) ?? [];
  if (frames === undefined || name === undefined) return undefined;
  try {
    return { frames: Number(frames), sessionId: JSON.parse(name) as string };
  } catch {
    return undefined;
  }
}
