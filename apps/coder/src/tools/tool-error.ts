import type { ToolCallContent } from '@turnwire/protocol';

/** A tool call that could not be done. The message is for the model and the user alike: what happened, and what to do. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
  /** What the call shows in place of the message. */
  readonly content?: readonly ToolCallContent[];
  /** What the call gave, as data. */
  readonly rawOutput?: unknown;

  constructor(
    message: string,
    shown: { readonly content?: readonly ToolCallContent[]; readonly rawOutput?: unknown } = {},
  ) {
    super(message);
    if (shown.content) this.content = shown.content;
    if (shown.rawOutput !== undefined) this.rawOutput = shown.rawOutput;
  }
}

/** A tool call that was none: there is no such tool, or its input is not what the tool takes. */
export class ToolInputError extends ToolError {}

/**
 * What to say of an error that ended a call. What the system says is kept without its path: that may be a draft beside the
 * file, which nobody has heard of.
 */
export function failureMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, syscall, message } = error as NodeJS.ErrnoException;
  const words = syscall === undefined ? undefined : /^\w+: (.+), \w+/.exec(message)?.[1];
  if (words === undefined) return message;
  const isForbidden = code === 'EACCES' || code === 'EPERM' || code === 'EROFS';
  return `The system refused it: ${words}.${isForbidden ? ' Check the permissions of the file and its folder.' : ''}`;
}
