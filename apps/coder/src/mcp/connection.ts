import type { McpServer } from '@turnwire/protocol';
import type { UserAnswer, UserQuestion } from '@turnwire/agent';
import type { LineRing } from './line-ring.ts';
import type { ServerOffers } from './server-offers.ts';

/** What a connection is given and what it tells. */
export interface ConnectionHost {
  readonly server: McpServer;
  /** The session's folder: servers start in it. */
  readonly cwd: string;
  /** All folders of the session, which servers may ask for (MCP: roots). */
  readonly roots: readonly string[];
  /** What is taken of it for servers that are started is little: see `server-environment.ts`. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What the server prints on stderr and logs. */
  readonly log: LineRing;
  /** How the user can be asked. Servers are told, and ask no other way. */
  readonly asks: { readonly form: boolean; readonly url: boolean };
  /** Asks the user something for the server. Undefined: there is nobody to ask now. */
  readonly ask: (question: UserQuestion) => Promise<UserAnswer | undefined>;
  /** What the server has is different now. */
  readonly changed: (offers: ServerOffers) => void;
  /** The connection is over, and nobody here ended it. */
  readonly lost: (reason: string) => void;
}

/** What one request may take. */
export interface RequestTerms {
  readonly signal: AbortSignal;
  /** Hears how far it is. */
  readonly progress?: (progress: Progress) => void;
}

/** How far a call is. */
export interface Progress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

/** What a tool gave, nothing of it checked. */
export interface RawResult {
  readonly content: readonly unknown[];
  readonly structuredContent?: unknown;
  readonly isError: boolean;
}

/** A prompt filled in. */
export interface RawPrompt {
  readonly messages: readonly unknown[];
}

/** A server that is connected. What fails throws whatever the library throws: see `failure-reason.ts`. */
export interface Connection {
  readonly offers: ServerOffers;
  callTool(name: string, input: Readonly<Record<string, unknown>>, terms: RequestTerms): Promise<RawResult>;
  getPrompt(name: string, values: Readonly<Record<string, string>>, terms: RequestTerms): Promise<RawPrompt>;
  /** The contents of a resource, as they came. */
  readResource(uri: string, terms: RequestTerms): Promise<readonly unknown[]>;
  /** Says goodbye and ends what was started. `lost` is not called. */
  close(): Promise<void>;
}
