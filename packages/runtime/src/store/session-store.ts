import type { FoundSession, TextQuery } from '../texts/found-sessions.ts';
import type { Passage } from '../texts/passage.ts';
import type { UsageRecord } from '../usage/usage-record.ts';

/** A position in the log of a session: the epoch in which its event was written, and the number of the event. */
export interface Cursor {
  readonly epoch: number;
  /** 1 for the first event of a session. 0, with epoch 0: before it. */
  readonly sequence: number;
}

/** The stored data of a session besides its events. */
export interface SessionRecord {
  /** Opaque; chosen by the gateway, unique in the store, and never used again. */
  readonly id: string;
  /** The owner. Other tenants cannot list, read or change the session. */
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
  /** When a client closed it. It can still be loaded. */
  readonly closedAt: number | null;
  /** The data with which a gateway continues the session: JSON that the store does not read. */
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
  /** JSON text, stored unchanged. */
  readonly payload: string;
  /** A session has one event with a key: the store drops a second one. Up to 256 UTF-16 units. */
  readonly key?: string | undefined;
}

/** An event in the log. */
export interface StoredEvent extends NewEvent, Cursor {}

/** The right to write a session, until another process claims it. */
export interface SessionClaim {
  readonly record: SessionRecord;
  readonly epoch: number;
  /** The last event; sequence 0 of a new session. */
  readonly head: Cursor;
  /** The last event whose texts are indexed; sequence 0 of a new session. */
  readonly indexedUpTo: Cursor;
}

/** Texts of a session for the search. */
export interface IndexedTexts {
  /** Added to those before. A title replaces the earlier one; an empty one removes it. */
  readonly passages: readonly Passage[];
  /** The last event whose texts are indexed. */
  readonly upTo: Cursor;
}

/** Why some events after a cursor are missing: the log was trimmed, or it never had the cursor. */
export type GapReason = 'trimmed' | 'unknown';

/** Events after a cursor, oldest first. */
export type EventPage =
  | { readonly events: readonly StoredEvent[]; readonly head: Cursor }
  /** `floor`: the last trimmed event. */
  | { readonly gap: GapReason; readonly floor: Cursor; readonly head: Cursor };

/** Which sessions to list: those of one tenant, last used first. */
export interface SessionQuery {
  readonly tenant: string;
  readonly cwd?: string | undefined;
  /** `next` of an earlier page. Another value is rejected with `invalid-input`. */
  readonly after?: string | undefined;
  /** The size of the page. */
  readonly limit: number;
}

/** The use of a store by a tenant. */
export interface StoredUse {
  /** Including closed ones. */
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
 * The sessions of a gateway and their logs. One process writes a session at a time: a claim takes the session over, and later writes of the earlier
 * owner are refused. When a call resolves, its data survives the end of the process.
 *
 * Rejections are a {@link StoreError}. A refused list of events is not stored at all.
 */
export interface SessionStore extends UsageRecord {
  /** Stores a new session, claimed in epoch 1. Rejects with `invalid-input` if its id is taken. */
  create(record: SessionRecord): Promise<SessionClaim>;
  /** Takes a session over, in its next epoch. */
  claim(tenant: string, id: string): Promise<SessionClaim>;
  /**
   * Stores events after the head and numbers them in order. Calls of the same moment share a transaction. Drops events whose key the log has, and
   * resolves with the stored ones.
   */
  append(claim: SessionClaim, events: readonly NewEvent[]): Promise<readonly StoredEvent[]>;
  /** Stores changed fields of the record. */
  update(claim: SessionClaim, change: RecordChange): Promise<void>;
  /** Reads the record of a session without a claim. Resolves with undefined if the tenant does not have the session. */
  find(tenant: string, id: string): Promise<SessionRecord | undefined>;
  /** Reads the events after a cursor: up to `limit` and about 1 MiB, but at least one if there is one. `types`: only these types. */
  read(
    from: { readonly tenant: string; readonly id: string; readonly after: Cursor },
    limits: { readonly limit: number; readonly types?: readonly string[] },
  ): Promise<EventPage>;
  /** Finds the event with a key. Resolves with undefined if it is missing or was trimmed. */
  findByKey(tenant: string, id: string, key: string): Promise<StoredEvent | undefined>;
  /** Finds the last event of some types. Resolves with undefined if it is missing or was trimmed. */
  findLast(tenant: string, id: string, types: readonly string[]): Promise<StoredEvent | undefined>;
  /** Lists the sessions of a tenant, page by page. Rejects with `invalid-input` for an invalid cursor. */
  list(query: SessionQuery): Promise<SessionPage>;
  /** Indexes texts of a session for {@link search}. */
  index(claim: SessionClaim, texts: IndexedTexts): Promise<void>;
  /** Finds the sessions of a tenant by their texts, those with the newest match first. Deleted and trimmed texts are not found. */
  search(query: TextQuery): Promise<readonly FoundSession<SessionRecord>[]>;
  /** Counts the use of a tenant. Absent: the store does not count, and does not support quotas of use. */
  use?(tenant: string): Promise<StoredUse>;
  /** Deletes the events up to a cursor. Their keys stay known. Rejects with `invalid-input` if the cursor is not in the log. */
  trim(claim: SessionClaim, upTo: Cursor): Promise<void>;
  /** Deletes a session with all its events. Claims on it no longer hold. */
  delete(tenant: string, id: string): Promise<void>;
  /** Resolves when everything is stored and the engine has closed its files. Later calls reject with `failed`. */
  close(): Promise<void>;
}
