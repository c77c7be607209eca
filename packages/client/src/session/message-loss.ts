/** A message of the agent that was too long to be read. Whose it was, and what it said, is not known. */
export interface MessageLoss {
  /** How long it was. */
  readonly bytes: number;
}

/** The loss in a sentence without its end. */
export function lossText({ bytes }: MessageLoss): string {
  return `a message of the agent of ${Math.ceil(bytes / 2 ** 20)} MiB was left out, for it is longer than messages may be`;
}
