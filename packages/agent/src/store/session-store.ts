import type { ContentBlock, SessionUpdate, StopReason } from '@turnwire/protocol';

/** How a session began. It never changes; what does is among the {@link SessionEntry | entries}. */
export interface SessionHeader {
  /** The session's id: letters, digits, `-` and `_`, at most 128 of them. */
  readonly id: string;
  /** Absolute working directory it was begun in. */
  readonly cwd: string;
  /** Further absolute folders it was begun with. */
  readonly additionalDirectories: readonly string[];
  /** When it began: ISO 8601. */
  readonly createdAt: string;
  /** What it was called from the start. Absent: nothing. */
  readonly title?: string | undefined;
}

/**
 * Something that happened in a session, in the order it happened. A reader leaves out entries of a type it does not know.
 *
 * - `prompt`: the user's prompt; a turn begins, unless one is running, which then took the prompt in
 * - `update`: what the turn told the client. A message may come in pieces with one id, a tool call as announced and as it ended
 * - `end`: the turn is over. `interrupted`: the agent went away in the middle of it
 * - `title`, `mode`, `option`: the session's title, mode or a configuration option from here on
 * - `kept`: something the agent keeps for itself; no client sees it
 */
export type SessionEntry =
  | { readonly type: 'prompt'; readonly messageId: string; readonly prompt: readonly ContentBlock[] }
  | { readonly type: 'update'; readonly update: SessionUpdate }
  | {
      readonly type: 'end';
      readonly stopReason: StopReason | 'error' | 'interrupted';
      /** What the session is called by now, so that nobody has to look further back for it. */
      readonly title: string | null;
    }
  | { readonly type: 'title'; readonly title: string | null }
  | { readonly type: 'mode'; readonly modeId: string }
  | { readonly type: 'option'; readonly id: string; readonly value: string | boolean }
  | { readonly type: 'kept'; readonly value: unknown };

/** Writes what happens in one session. While it is open, nobody else opens or deletes the session. */
export interface SessionJournal {
  /**
   * Adds an entry behind all others. Resolves when the end of this process can no longer lose it; rejects when it could not be written,
   * and is called again with the same entry then. There is one call at a time.
   */
  append(entry: SessionEntry): Promise<void>;
  /** Lets go of the session once everything is written. Never rejects. */
  close(): Promise<void>;
}

/** A stored session, opened to go on. */
export interface OpenedSession {
  readonly header: SessionHeader;
  /** All there is, oldest first. */
  readonly entries: readonly SessionEntry[];
  readonly journal: SessionJournal;
}

/** Which sessions to list. */
export interface SessionQuery {
  /** Only those begun in exactly this folder, whatever slash it ends with; links are not followed. Absent: all. */
  readonly cwd?: string | undefined;
  /** The {@link SessionPage.nextCursor} of the page before. Absent: the first page. */
  readonly cursor?: string | undefined;
}

/** A session as it is listed. */
export interface StoredSession extends SessionHeader {
  /** When something last happened in it: ISO 8601. */
  readonly updatedAt: string;
}

/** Some of the stored sessions, the one last used first. */
export interface SessionPage {
  readonly sessions: readonly StoredSession[];
  /** Opaque. Absent: there are no more. */
  readonly nextCursor?: string | undefined;
}

/**
 * Where sessions outlive the connection. An agent with a store loads, lists, resumes and deletes sessions
 * (protocol: Session Setup, Session List, Session Delete).
 *
 * {@link sessionStore} keeps them in files, {@link memoryStore} in memory; bring your own for anything else.
 */
export interface SessionStore {
  /** Begins a session. Rejects if there is one with this id. */
  create(header: SessionHeader): Promise<SessionJournal>;
  /**
   * Opens a session to go on. Undefined if there is none with this id. One that can be read and not written is opened too: its journal
   * rejects what is appended as long as that is so.
   * @throws TurnwireError `invalid-input` if it is open already, here or in another process
   */
  open(id: string): Promise<OpenedSession | undefined>;
  /**
   * Lists sessions without opening any.
   * @throws TurnwireError `invalid-input` if the cursor is not one of ours
   */
  list(query: SessionQuery): Promise<SessionPage>;
  /**
   * Deletes a session. Without one of this id it does nothing.
   * @throws TurnwireError `invalid-input` if it is open
   */
  delete(id: string): Promise<void>;
}
