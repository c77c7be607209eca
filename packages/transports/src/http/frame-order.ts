/*
 * The answer to session/load goes on the stream of the connection, what is replayed on that of the session, and no order holds between the
 * two. Our server says in a comment, which other clients skip, how many frames of the session came before the answer.
 */

/** What an answer comes after. */
export interface After {
  readonly sessionId: string;
  /** Frames of the session's stream so far. */
  readonly frames: number;
}

/** The comment of an event that comes after frames of another stream. */
export function afterComment({ sessionId, frames }: After): string {
  return `:after ${frames} ${JSON.stringify(sessionId)}\n`;
}

/** What a comment says; undefined if it is another. */
export function readAfter(comment: string): After | undefined {
  const [, frames, name] = /^:after (\d{1,15}) (".*")$/.exec(comment) ?? [];
  if (frames === undefined || name === undefined) return undefined;
  try {
    return { frames: Number(frames), sessionId: JSON.parse(name) as string };
  } catch {
    return undefined;
  }
}
