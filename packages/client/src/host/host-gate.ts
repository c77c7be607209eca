import type { CreateTerminalRequest, ReadTextFileRequest, WriteTextFileRequest } from '@turnwire/protocol';

/** The agent is about to use something of the host. */
export type HostCall = (
  | { readonly method: 'fs/read_text_file'; readonly params: ReadTextFileRequest }
  | { readonly method: 'fs/write_text_file'; readonly params: WriteTextFileRequest }
  | { readonly method: 'terminal/create'; readonly params: CreateTerminalRequest }
) & {
  readonly sessionId: string;
  /** The folders of the session: its working directory first, then the additional ones. */
  readonly roots: readonly string[];
  /** Where these folders really were when the session began, symbolic links resolved. */
  readonly realRoots?: readonly (string | undefined)[] | undefined;
  /** Aborts when the answer no longer matters: the agent took the request back, or the turn was cancelled or is over. */
  readonly signal: AbortSignal;
};

/** Resolves when the call may go on; rejects with the ProtocolError to answer with when not. */
export type HostGate = (call: HostCall) => Promise<void>;
