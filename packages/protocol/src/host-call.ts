import type { CreateTerminalRequest, ReadTextFileRequest, WriteTextFileRequest } from './generated/types.ts';

/** A request of an agent to use a service of the client, before the client decides about it. */
export type HostCall = (
  | { readonly method: 'fs/read_text_file'; readonly params: ReadTextFileRequest }
  | { readonly method: 'fs/write_text_file'; readonly params: WriteTextFileRequest }
  | { readonly method: 'terminal/create'; readonly params: CreateTerminalRequest }
) & {
  readonly sessionId: string;
  /** The folders of the session: its working directory first, then the additional ones. */
  readonly roots: readonly string[];
  /** The real paths of these folders when the session began, symbolic links resolved. */
  readonly realRoots?: readonly (string | undefined)[] | undefined;
  /** Aborts when the answer no longer matters: the agent cancelled the request, or the turn was cancelled or has ended. */
  readonly signal: AbortSignal;
};

/**
 * Runs a command line in place of a shell, with the rights that the rules give: its file operations go through no link to a file that may not be
 * changed, whenever the link was made. Prints the output, and resolves with the exit code; rejects with the signal's reason when it is aborted.
 */
export type ConfinedRun = (print: (text: string) => void, signal: AbortSignal) => Promise<number>;

/** The subagent that asks for a permission. The agent reports all of it. */
export interface AskingChild {
  /** The name for rules: the kind of the subagent, or the agent that works in it; without either, its title. */
  readonly name: string;
  /** Its title for the user. */
  readonly title?: string | undefined;
}

/** The context of a permission request. */
export interface PermissionContext {
  /** Aborts when the answer no longer matters: the turn was cancelled, or the agent cancelled the request. */
  readonly signal: AbortSignal;
  /** The folders of the session, its working directory first. Absent: unknown. */
  readonly roots?: readonly string[] | undefined;
  /**
   * Receives the reason of the decision, as a sentence for the user: `allowed by the rule Bash(git *) in ~/.config/turnwire/permissions.json`.
   */
  readonly explain?: ((reason: string) => void) | undefined;
  /**
   * Receives a text for the agent, such as the reason for a rejection. It is part of the answer if the agent reads it there; otherwise the
   * session gets it as `onFeedback`.
   */
  readonly feedback?: ((text: string) => void) | undefined;
  /** The subagent that asks. Absent: the session itself. */
  readonly child?: AskingChild | undefined;
}
