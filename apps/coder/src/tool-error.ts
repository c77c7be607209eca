import type { ToolCallContent } from '@turnwire/protocol';

/** A failed tool call. The message tells the model and the user what happened and what to do. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
  /** The content of the call, instead of the message. */
  readonly content?: readonly ToolCallContent[];
  /** The call's data. */
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

/** An invalid tool call: an unknown tool, or input that does not fit. */
export class ToolInputError extends ToolError {}

/** The message about an error that ended a call. A system error is shown without its path, which may be that of a temporary file. */
export function failureMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, syscall, message } = error as NodeJS.ErrnoException;
  const words = syscall === undefined ? undefined : /^\w+: (.+), \w+/.exec(message)?.[1];
  if (words === undefined) return message;
  const isForbidden = code === 'EACCES' || code === 'EPERM' || code === 'EROFS';
  return `The system reported: ${words}.${isForbidden ? ' Check the permissions of the file and its folder.' : ''}`;
}
