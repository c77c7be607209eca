export { memoryStore } from './store/memory-store.ts';
export type {
  Cursor,
  EventPage,
  GapReason,
  NewEvent,
  RecordChange,
  SessionClaim,
  SessionPage,
  SessionQuery,
  SessionRecord,
  SessionStore,
  StoredEvent,
} from './store/session-store.ts';
export { StoreError, type StoreErrorCode } from './store/store-error.ts';
export { sqliteStore, type SqliteStoreOptions } from './store/sqlite/sqlite-store.ts';
