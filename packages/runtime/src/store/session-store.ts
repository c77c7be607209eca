/** A place in the log of a session: the epoch in which its event was written, and the number of the event. */
export interface Cursor {
  readonly epoch: number;
  /** 1 for the first event of a session. 0, with epoch 0: before it. */
  readonly sequence: number;
}

/** What is stored of a session besides its events. */
export interface SessionRecord {
  /** Opaque; chosen by the gateway, unique in the store, and never used again. */
  readonly id: string;
  /** Whose session it is. Nobody else can list, read or change it. */
  readonly tenant: string;
  /** The name of its agent in the configuration of the gateway. */
  readonly agent: string;
  /** An absolute path. */
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
  readonly title: string | null;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Set when it was closed. It can still be loaded. */
  readonly closedAt: number | null;
  /** What the gateway needs to go on with it: JSON, of no meaning to the store. */
  readonly facts: Readonly<Record<string, unknown>>;
}

/** The fields of a record that change. */
export type RecordChange = Partial<
  Pick<SessionRecord, 'additionalDirectories' | 'agent' | 'title' | 'updatedAt' | 'closedAt' | 'facts'>
>;

/** An event before it is stored. */
export interface NewEvent {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly type: string;
  /** JSON text, stored as it is. */
  readonly payload: string;
  /** Makes it the only event of the session with this key: a second one is not stored. Up to 256 characters. */
  readonly key?: string | undefined;
}

/** An event in the log. */
export interface StoredEvent extends NewEvent, Cursor {}

/** The right to write a session, until somebody else claims it. */
export interface SessionClaim {
  readonly record: SessionRecord;
  readonly epoch: number;
  /** The last event; sequence 0 of a new session. */
  readonly head: Cursor;
}

/** Why events after a cursor cannot be given without a gap: the log was trimmed, or the cursor is none of this log. */
export type GapReason = 'trimmed' | 'unknown';

/** Events after a cursor, oldest first. */
export type EventPage =
  | { readonly events: readonly StoredEvent[]; readonly head: Cursor }
  /** `floor`: what is kept begins behind it. */
  | { readonly gap: GapReason; readonly floor: Cursor; readonly head: Cursor };

/** Which sessions to list: those of one tenant, last used first. */
export interface SessionQuery {
  readonly tenant: string;
  readonly cwd?: string | undefined;
  /** Of an earlier page. Rejects with `invalid-input` if it is none. */
  readonly after?: string | undefined;
  /** How many at most. */
  readonly limit: number;
}

/** What a tenant has in a store. */
export interface StoredUse {
  /** Those that were closed too. */
  readonly sessions: number;
  /** Bytes of the payloads of their events, in UTF-8. */
  readonly storedBytes: number;
}

/** A page of a list. */
export interface SessionPage {
  readonly sessions: readonly SessionRecord[];
  /** For the next page; absent on the last. */
  readonly next?: string;
}

/**
 * The sessions of a gateway and their logs. One process writes a session at a time: whoever claims it takes it over, and what an earlier
 * owner still writes is refused. What resolved is stored, also if the process is killed.
 *
 * Rejections are a {@link StoreError}. Nothing of an event list that was refused is stored.
 */
export interface SessionStore {
  /** Stores a new session, claimed in epoch 1. Rejects with `invalid-input` if its id is taken. */
  create(record: SessionRecord): Promise<SessionClaim>;
  /** Takes a session over, in its next epoch. */
  claim(tenant: string, id: string): Promise<SessionClaim>;
  /**
   * Stores events behind the head, numbered in their order; calls that come together share a transaction. Events whose key the log has are
   * left out: what is returned are those that were stored.
   */
  append(claim: SessionClaim, events: readonly NewEvent[]): Promise<readonly StoredEvent[]>;
  /** Stores changed fields of the record. */
  update(claim: SessionClaim, change: RecordChange): Promise<void>;
  /** The record of a session, without claiming it; undefined if the tenant has none with this id. */
  find(tenant: string, id: string): Promise<SessionRecord | undefined>;
  /** Events after a cursor, up to `limit` and about 1 MiB, one at least if there is one. `types`: only these. */
  read(
    place: { readonly tenant: string; readonly id: string; readonly after: Cursor },
    limits: { readonly limit: number; readonly types?: readonly string[] },
  ): Promise<EventPage>;
  /** The event with this key; undefined if there is none, or it was trimmed. */
  findByKey(tenant: string, id: string, key: string): Promise<StoredEvent | undefined>;
  /** The last event of some types; undefined if there is none, or it was trimmed. */
  findLast(tenant: string, id: string, types: readonly string[]): Promise<StoredEvent | undefined>;
  /** The sessions of a tenant, page by page. Rejects with `invalid-input` for a place that is none. */
  list(query: SessionQuery): Promise<SessionPage>;
  /** How much a tenant has. Absent: the store does not count, and cannot be used with quotas for it. */
  use?(tenant: string): Promise<StoredUse>;
  /** Forgets the events up to this one. Their keys stay known. Rejects with `invalid-input` if it is not in the log. */
  trim(claim: SessionClaim, upTo: Cursor): Promise<void>;
  /** Deletes a session with all its events. Whoever still has a claim on it is fenced. */
  delete(tenant: string, id: string): Promise<void>;
  /** Resolves when everything is stored and the engine has let go of its files. Later calls reject with `failed`. */
  close(): Promise<void>;
}
