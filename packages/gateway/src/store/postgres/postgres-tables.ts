/**
 * The steps from an empty database to the tables of this version, in their order. One that was published is never changed: a later one
 * changes what it made.
 */
export const migrations: readonly string[] = [
  `CREATE TABLE turnwire_sessions (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text COLLATE "C" NOT NULL UNIQUE,
    tenant text COLLATE "C" NOT NULL,
    agent text NOT NULL,
    cwd text NOT NULL,
    -- JSON: texts in PostgreSQL have no NUL character, which a title may have.
    title text NOT NULL,
    additional_directories text NOT NULL,
    facts text NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    closed_at bigint,
    epoch integer NOT NULL DEFAULT 1,
    head_epoch integer NOT NULL DEFAULT 0,
    head_sequence bigint NOT NULL DEFAULT 0,
    floor_epoch integer NOT NULL DEFAULT 0,
    floor_sequence bigint NOT NULL DEFAULT 0,
    -- The last list of events that was stored, and the head before it: who lost the answer finds out whether it was.
    batch uuid,
    batch_after bigint
  ) WITH (fillfactor = 80);
  CREATE INDEX turnwire_sessions_by_use ON turnwire_sessions (tenant, updated_at DESC, id);
  CREATE TABLE turnwire_events (
    session bigint NOT NULL,
    sequence bigint NOT NULL,
    epoch integer NOT NULL,
    at bigint NOT NULL,
    type text NOT NULL,
    payload text NOT NULL,
    key text,
    PRIMARY KEY (session, sequence)
  );
  CREATE TABLE turnwire_event_keys (
    session bigint NOT NULL,
    key text NOT NULL,
    sequence bigint NOT NULL,
    PRIMARY KEY (session, key)
  );`,
];

/** Held while tables are made, so that several processes that start at once make them once: any number that no other program uses. */
export const migrationLock = 7_366_214_015;
