import type { McpServer } from '@turnwire/protocol';
import type { UserAnswer, UserQuestion } from '@turnwire/agent';
import type { LineRing } from './line-ring.ts';
import type { ServerOffers } from './server-offers.ts';

/** The context and the callbacks of a connection. */
export interface ConnectionHost {
  readonly server: McpServer;
  /** The session's folder: servers start in it. */
  readonly cwd: string;
  /** All folders of the session, which servers may request (MCP: roots). */
  readonly roots: readonly string[];
  /** Servers inherit little of it: see `open-connection.ts`. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Receives the server's stderr and log. */
  readonly log: LineRing;
  /** The elicitation the client supports, which servers may use. */
  readonly asks: { readonly form: boolean; readonly url: boolean };
  /** Asks the user a question of the server. Undefined: there is no user to ask now. */
  readonly ask: (question: UserQuestion) => Promise<UserAnswer | undefined>;
  /** The server's offers have changed. */
  readonly changed: (offers: ServerOffers) => void;
  /** The connection was lost, not closed by us. */
  readonly lost: (reason: string) => void;
}

/** The limits of one request. */
export interface RequestTerms {
  readonly signal: AbortSignal;
  /** Receives its progress. */
  readonly progress?: (progress: Progress) => void;
}

/** The progress of a call. */
export interface Progress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

/** A tool's result, unchecked. */
export interface RawResult {
  readonly content: readonly unknown[];
  readonly structuredContent?: unknown;
  readonly isError: boolean;
}

/** A prompt with its arguments filled in. */
export interface RawPrompt {
  readonly messages: readonly unknown[];
}

/** A connected server. Failures throw the library's errors: see `failure-reason.ts`. */
export interface Connection {
  readonly offers: ServerOffers;
  callTool(name: string, input: Readonly<Record<string, unknown>>, terms: RequestTerms): Promise<RawResult>;
  getPrompt(name: string, values: Readonly<Record<string, string>>, terms: RequestTerms): Promise<RawPrompt>;
  /** The contents of a resource, unchanged. */
  readResource(uri: string, terms: RequestTerms): Promise<readonly unknown[]>;
  /** Closes the connection and ends its process. `lost` is not called. */
  close(): Promise<void>;
}
