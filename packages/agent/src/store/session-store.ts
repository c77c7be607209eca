import type { ContentBlock, SessionUpdate, StopReason } from '@turnwire/protocol';

/** How a session began. It never changes; later changes are {@link SessionEntry | entries}. */
export interface SessionHeader {
  /** The session's id: letters, digits, `-` and `_`, at most 128 of them. */
  readonly id: string;
  /** Absolute working directory it was started in. */
  readonly cwd: string;
  /** Further absolute folders it was started with. */
  readonly additionalDirectories: readonly string[];
  /** When it was created: ISO 8601. */
  readonly createdAt: string;
  /** Its initial title. Absent: none. */
  readonly title?: string | undefined;
}

/**
 * An event of a session, in order. A reader ignores entries of a type it does not know.
 *
 * - `prompt`: the user's prompt; a turn starts, unless one is running, which has then taken the prompt
 * - `update`: an update sent to the client. A message may come in chunks with one id, a tool call as announced and as it ended
 * - `child`: the same of a session that this one started; an update of this one has announced it
 * - `end`: the turn has ended. `interrupted`: the agent was killed in the middle of it
 * - `title`, `mode`, `option`: the session's new title, mode or configuration option
 * - `kept`: data of the agent's own; clients never see it
 */
export type SessionEntry =
  | {
      readonly type: 'prompt';
      readonly messageId: string;
      readonly prompt: readonly ContentBlock[];
      /** The key by which the client recognises the prompt when it sends it again. */
      readonly idempotencyKey?: string | undefined;
    }
  | { readonly type: 'update'; readonly update: SessionUpdate }
  | { readonly type: 'child'; readonly sessionId: string; readonly update: SessionUpdate }
  | {
      readonly type: 'end';
      readonly stopReason: StopReason | 'error' | 'interrupted';
      /** The current title, so that a reader need not look further back for it. */
      readonly title: string | null;
    }
  | { readonly type: 'title'; readonly title: string | null }
  | { readonly type: 'mode'; readonly modeId: string }
  | { readonly type: 'option'; readonly id: string; readonly value: string | boolean }
  | { readonly type: 'kept'; readonly value: unknown };

/** Writes the entries of one session. While it is open, the session cannot be opened or deleted by others. */
export interface SessionJournal {
  /**
   * Appends an entry. Resolves when the entry would survive the end of this process; rejects if it could not be written, and is then called
   * again with it. Calls do not overlap.
   */
  append(entry: SessionEntry): Promise<void>;
  /** Closes the session once everything is written. Never rejects. */
  close(): Promise<void>;
}

/** A stored session that was opened to continue it. */
export interface OpenedSession {
  readonly header: SessionHeader;
  /** All entries, oldest first. */
  readonly entries: readonly SessionEntry[];
  readonly journal: SessionJournal;
}

/** The stored content of a session. */
export type ReadSession = Pick<OpenedSession, 'header' | 'entries'>;

/** Selects the sessions to list. */
export interface SessionQuery {
  /** Only those started in exactly this folder, with or without a trailing slash; links are not followed. Absent: all. */
  readonly cwd?: string | undefined;
  /** The {@link SessionPage.nextCursor} of the page before. Absent: the first page. */
  readonly cursor?: string | undefined;
}

/** A session as listed. */
export interface StoredSession extends SessionHeader {
  /** The time of its last entry: ISO 8601. */
  readonly updatedAt: string;
}

/** A page of stored sessions, the latest first. */
export interface SessionPage {
  readonly sessions: readonly StoredSession[];
  /** Opaque. Absent on the last page. */
  readonly nextCursor?: string | undefined;
}

/**
 * Stores sessions beyond the connection. An agent with a store loads, lists, resumes and deletes sessions (protocol: Session Setup, Session
 * List, Session Delete).
 *
 * `sessionStore` of `@turnwire/agent/node` stores them in files, {@link memoryStore} in memory; implement your own for anything else.
 */
export interface SessionStore {
  /** Creates a session. Rejects if the id is in use. */
  create(header: SessionHeader): Promise<SessionJournal>;
  /**
   * Opens a session to continue it. Undefined for an unknown id. A session that can only be read is opened too: its journal rejects appends
   * until it can be written.
   * @throws TurnwireError `invalid-input` if it is open already, here or in another process
   */
  open(id: string): Promise<OpenedSession | undefined>;
  /** Reads a session without opening it, also while it is open. Undefined for an unknown id. Absent: sessions cannot be forked. */
  readonly read?: ((id: string) => Promise<ReadSession | undefined>) | undefined;
  /**
   * Lists sessions without opening any.
   * @throws TurnwireError `invalid-input` if the cursor does not come from this store
   */
  list(query: SessionQuery): Promise<SessionPage>;
  /**
   * Deletes a session, if it exists.
   * @throws TurnwireError `invalid-input` if it is open
   */
  delete(id: string): Promise<void>;
}
