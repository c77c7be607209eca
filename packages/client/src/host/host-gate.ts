import type { CreateTerminalRequest, ReadTextFileRequest, WriteTextFileRequest } from '@turnwire/protocol';

/** The agent is about to use a service of the host. */
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
 * Runs a command in place of a process: prints its output and resolves with the exit code; rejects with the signal's reason when it is
 * aborted.
 */
export type ConfinedRun = (print: (text: string) => void, signal: AbortSignal) => Promise<number>;

/**
 * Resolves if the call is allowed; otherwise rejects with the ProtocolError to answer with. A command that is only allowed in this form
 * resolves with a {@link ConfinedRun}, which terminals that can do so run in place of the command.
 */
export type HostGate = (call: HostCall) => Promise<ConfinedRun | void>;
