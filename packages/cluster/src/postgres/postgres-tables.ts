/** The migrations from an empty database to the tables of this version, in order. A released migration never changes: a later one changes its result. */
export const migrations: readonly string[] = [
  `CREATE TABLE turnwire_sessions (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text COLLATE "C" NOT NULL UNIQUE,
    tenant text COLLATE "C" NOT NULL,
    agent text NOT NULL,
    cwd text NOT NULL,
    -- JSON, because PostgreSQL text cannot contain NUL, but a title may.
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
    indexed_epoch integer NOT NULL DEFAULT 0,
    indexed_sequence bigint NOT NULL DEFAULT 0,
    -- The last batch of stored events, and the head before it, by which a retry after a lost answer finds out whether they were stored.
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
  `CREATE TABLE turnwire_nodes (
    -- Unique for each run of a node.
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    -- The machine and its listening address: a node replaces an earlier one at the same location.
    location text,
    -- The address at which other nodes reach it.
    address text,
    -- JSON.
    agents text NOT NULL,
    roots text NOT NULL,
    started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- In milliseconds.
    lease double precision NOT NULL,
    lease_until timestamptz NOT NULL,
    clients integer NOT NULL DEFAULT 0,
    sessions integer NOT NULL DEFAULT 0,
    awake integer NOT NULL DEFAULT 0,
    working integer NOT NULL DEFAULT 0,
    is_draining boolean NOT NULL DEFAULT false
  ) WITH (fillfactor = 50);
  -- The node that has the session, while that node has a row.
  ALTER TABLE turnwire_sessions ADD COLUMN node bigint;`,
  `CREATE TABLE turnwire_audit (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    node bigint NOT NULL,
    at timestamptz NOT NULL,
    what text NOT NULL,
    tenant text,
    session text,
    -- JSON.
    entry text NOT NULL
  );
  CREATE INDEX turnwire_audit_by_tenant ON turnwire_audit (tenant, at);`,
  `-- The size of the payloads of its events. Servers of older versions, which may run until they are replaced, do not count them.
  ALTER TABLE turnwire_sessions ADD COLUMN bytes bigint NOT NULL DEFAULT 0;
  UPDATE turnwire_sessions SET bytes = counted FROM (
    SELECT session, sum(octet_length(payload)) AS counted FROM turnwire_events GROUP BY session
  ) AS events WHERE number = session;
  -- The use of a node by a tenant.
  CREATE TABLE turnwire_uses (
    node bigint NOT NULL REFERENCES turnwire_nodes ON DELETE CASCADE,
    tenant text COLLATE "C" NOT NULL,
    agents integer NOT NULL,
    prompts bigint NOT NULL,
    transferred_bytes bigint NOT NULL,
    PRIMARY KEY (tenant, node)
  ) WITH (fillfactor = 50);`,
  `-- Tickets and tokens of web pages, which every node accepts.
  CREATE TABLE turnwire_page_tokens (
    -- SHA-256 in hexadecimal digits.
    digest text COLLATE "C" PRIMARY KEY,
    kind text NOT NULL,
    -- JSON.
    owner text NOT NULL,
    origin text NOT NULL,
    expires_at timestamptz NOT NULL
  );
  CREATE INDEX turnwire_page_tokens_by_end ON turnwire_page_tokens (expires_at);`,
  `-- The usage of turns. It outlives the sessions.
  CREATE TABLE turnwire_usage (
    id text COLLATE "C" PRIMARY KEY,
    tenant text COLLATE "C" NOT NULL,
    session text COLLATE "C" NOT NULL,
    agent text NOT NULL,
    model text,
    folder text NOT NULL,
    at bigint NOT NULL,
    day text COLLATE "C" NOT NULL,
    milliseconds bigint NOT NULL,
    input bigint,
    output bigint,
    cache_read bigint,
    cache_write bigint,
    total bigint,
    cost double precision,
    currency text,
    agent_session text,
    reported double precision
  ) WITH (fillfactor = 80);
  CREATE INDEX turnwire_usage_by_day ON turnwire_usage (tenant, day);
  CREATE INDEX turnwire_usage_by_session ON turnwire_usage (tenant, session);
  CREATE INDEX turnwire_usage_by_agent_session ON turnwire_usage (tenant, agent_session, at);`,
  `-- The searchable texts of sessions.
  CREATE TABLE turnwire_passages (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    session bigint NOT NULL,
    kind text NOT NULL,
    epoch integer NOT NULL,
    sequence bigint NOT NULL,
    at bigint NOT NULL,
    text text NOT NULL,
    -- Made by the store: the parsers of PostgreSQL depend on its language, and do not split paths.
    words tsvector NOT NULL
  );
  CREATE INDEX turnwire_passages_by_session ON turnwire_passages (session, sequence);
  CREATE INDEX turnwire_passages_by_word ON turnwire_passages USING gin (words);`,
];

/** The lock for migrations, so that processes that start at the same time run them once: a number that no other program uses. */
export const migrationLock = 7_366_214_015;
