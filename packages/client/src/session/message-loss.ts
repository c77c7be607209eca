/** A message of the agent that was too long to be read. Its session and content are unknown. */
export interface MessageLoss {
  /** Its length. */
  readonly bytes: number;
}

/** The loss as a clause. */
export function lossText({ bytes }: MessageLoss): string {
  return `a message of the agent of ${Math.ceil(bytes / 2 ** 20)} MiB exceeds the limit and was dropped`;
}
