import type { CreateTerminalRequest, ReadTextFileRequest, WriteTextFileRequest } from '@turnwire/protocol';

/** A request of an agent to use a service of the client, as passed to the client's `hostGate`. */
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
  /** Aborts when the answer no longer matters. */
  readonly signal: AbortSignal;
};
