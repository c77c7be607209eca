// @ts-check
// One SQLite database and its calls, in lists that each run in one transaction. This file runs without a build, from the sources, from a package
// and from the bundled command: by `sqlite-worker.mjs` in a thread, by `direct-sqlite.ts` without one. So it imports only files of this folder.
import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { passageCalls, passageTable } from './passage-table.mjs';
import { usageCalls, usageTable } from './usage-table.mjs';

/** The version of the tables below. A database of another version is refused. */
const version = 4;

/** How long to wait for another process that writes, in milliseconds. */
const busyTimeout = 10_000;

/**
 * The number of pages of the journal (WAL) after which SQLite moves them into the database, while every call waits: 32 MB. SQLite's default of
 * 1,000 pages fills in a quarter of a second at 5,000 events per second, mostly with the same pages again.
 */
const journalPages = 8_192;

const tables = `
  CREATE TABLE schema_version (version INTEGER NOT NULL);
  INSERT INTO schema_version VALUES (${version});
  CREATE TABLE sessions (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    tenant TEXT NOT NULL,
    agent TEXT NOT NULL,
    cwd TEXT NOT NULL,
    -- JSON: texts in SQLite end at a NUL character, which a title may have.
    title TEXT NOT NULL,
    additional_directories TEXT NOT NULL,
    facts TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    closed_at INTEGER,
    epoch INTEGER NOT NULL DEFAULT 1,
    floor_epoch INTEGER NOT NULL DEFAULT 0,
    floor_sequence INTEGER NOT NULL DEFAULT 0,
    indexed_epoch INTEGER NOT NULL DEFAULT 0,
    indexed_sequence INTEGER NOT NULL DEFAULT 0
  );
  CREATE INDEX sessions_by_use ON sessions (tenant, updated_at DESC, id);
  CREATE TABLE events (
    position INTEGER PRIMARY KEY,
    session INTEGER NOT NULL,
    sequence INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    at INTEGER NOT NULL,
    type TEXT NOT NULL,
    payload TEXT NOT NULL,
    key TEXT,
    UNIQUE (session, sequence)
  );
  CREATE TABLE event_keys (
    session INTEGER NOT NULL,
    key TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    PRIMARY KEY (session, key)
  ) WITHOUT ROWID;
  ${passageTable}
  ${usageTable}`;

/** Node's own engine if it was built with full-text search, otherwise the package. */
async function engine() {
  const own = await import('node:sqlite').catch(() => undefined);
  return own && hasTextSearch(own) ? own : import('@photostructure/sqlite');
}

/** @param {Pick<typeof import('node:sqlite'), 'DatabaseSync'>} engine */
function hasTextSearch({ DatabaseSync }) {
  const database = new DatabaseSync(':memory:');
  const [row] = database.prepare(`SELECT sqlite_compileoption_used('ENABLE_FTS5') AS has`).all();
  database.close();
  return row?.['has'] === 1;
}

/**
 * Opens the database for its owner alone, and makes its tables if it is new.
 * @param {string} path
 */
async function opened(path) {
  const { DatabaseSync } = await engine();
  if (!existsSync(dirname(path))) mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  closeSync(openSync(path, 'a', 0o600));
  chmodSync(path, 0o600);
  const database = new DatabaseSync(path);
  database.exec(`PRAGMA busy_timeout = ${busyTimeout}; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
    PRAGMA wal_autocheckpoint = ${journalPages}`);
  database.exec('BEGIN IMMEDIATE');
  const found = database.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`).all();
  if (found.length === 0) database.exec(tables);
  else if (!found.some((table) => table['name'] === 'schema_version')) throw refusal('foreign');
  const [row] = database.prepare('SELECT version FROM schema_version').all();
  if (Number(row?.['version']) !== version) throw refusal('other-version');
  database.exec('COMMIT');
  return database;
}

/** @param {string} reason the key of the caller's sentence */
function refusal(reason) {
  return Object.assign(new Error(reason), { reason });
}

/** @typedef {Record<string, any>} Fields */

const columns = `number, id, tenant, agent, cwd, title, additional_directories, facts, created_at, updated_at, closed_at, epoch,
  floor_epoch, floor_sequence, indexed_epoch, indexed_sequence`;

/** @param {Fields} row */
function recordOf(row) {
  return {
    id: row.id,
    tenant: row.tenant,
    agent: row.agent,
    cwd: row.cwd,
    additionalDirectories: JSON.parse(row.additional_directories),
    title: JSON.parse(row.title),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    closedAt: row.closed_at,
    facts: JSON.parse(row.facts),
  };
}

/** @param {Fields} row */
function eventOf({ key, ...row }) {
  return key === null ? row : { ...row, key };
}

const eventColumns = 'sequence, epoch, at, type, payload, key';

/** @param {any} error whose fields the caller makes an error of */
export function described({ reason, code, errcode, message }) {
  return { reason, code, errcode, message };
}

/** The calls that only read: they do not wait for other writers. */
const reading = new Set(['find', 'read', 'findByKey', 'findLast', 'list', 'search', 'usage', 'lastReported']);
/** The calls: methods below that check before they write, so that a refused call has changed nothing. */
const calls = new Set([...reading, 'create', 'claim', 'append', 'update', 'index', 'trim', 'delete', 'recordUsage']);
/** The number of sessions in memory: some 2 MB. */
const mostKnown = 10_000;

/** @typedef {{ readonly tenant: string, readonly number: number, readonly epoch: number, head: number }} KnownSession */

/** An open database. */
export class SqliteDatabase {
  /**
   * @readonly
   * @type {any}
   */
  #database;
  /** @readonly */
  #durability;
  /**
   * @readonly
   * @type {Map<string, any>}
   */
  #prepared = new Map();
  /**
   * Claimed sessions, by their ids. The entries are valid until another connection writes. One check of that per transaction is cheaper than a
   * query for the epoch and the head of each session.
   * @readonly
   * @type {Map<string, KnownSession>}
   */
  #known = new Map();
  /** @type {unknown} */
  #dataVersion;
  #isForcing = false;

  /**
   * @param {any} database
   * @param {'process' | 'disk'} durability
   */
  constructor(database, durability) {
    this.#database = database;
    this.#durability = durability;
  }

  /**
   * Rejects with an error for {@link described}.
   * @param {{ readonly path: string, readonly durability: 'process' | 'disk' }} options
   */
  static async open({ path, durability }) {
    return new SqliteDatabase(await opened(path), durability);
  }

  /**
   * Runs the calls of a list in one transaction: names, each followed by its parameters. Returns after the commit, for each call a value or an
   * object with the failure. The list is flat because each object that goes to another thread costs more than its content.
   * @param {readonly any[]} list
   * @returns {readonly unknown[]}
   */
  answersTo(list) {
    const names = list.filter((_, index) => index % 2 === 0);
    try {
      this.#begin(names);
    } catch (error) {
      return names.map(() => ({ failure: described(error) }));
    }
    try {
      const answers = names.map((name, index) => this.#answerTo(name, list[2 * index + 1]));
      this.#sql('COMMIT').run();
      return answers;
    } catch (error) {
      this.#rollBack();
      this.#known.clear();
      // One refused call, such as a value that is too large, must not fail the others.
      if (names.length === 1) return [{ failure: described(error) }];
      return names.flatMap((name, index) => this.answersTo([name, list[2 * index + 1]]));
    }
  }

  /** @param {readonly string[]} names */
  #begin(names) {
    // Two claims must never get the same epoch, even after a power cut: events of the first may have reached a client.
    const force = this.#durability === 'disk' || names.includes('claim');
    if (force !== this.#isForcing) this.#database.exec(`PRAGMA synchronous = ${force ? 'FULL' : 'NORMAL'}`);
    this.#isForcing = force;
    const isReading = names.every((name) => reading.has(name));
    this.#sql(isReading ? 'BEGIN' : 'BEGIN IMMEDIATE').run();
    if (!isReading) this.#forgetChanged();
  }

  /** Rolls back, unless SQLite has done so, as after a full disk. */
  #rollBack() {
    try {
      this.#database.exec('ROLLBACK');
    } catch {
      // SQLite has rolled back.
    }
  }

  /**
   * Answers a call. A refusal is an ordinary answer: the call has changed nothing.
   * @param {string} name
   * @param {Fields} parameters
   */
  #answerTo(name, parameters) {
    try {
      return calls.has(name) ? /** @type {any} */ (this)[name](parameters) : undefined;
    } catch (error) {
      if (error instanceof Error && 'reason' in error) return { failure: described(error) };
      throw error;
    }
  }

  close() {
    this.#database.close();
  }

  /** @param {Fields} parameters */
  create({ record: { id, tenant, agent, cwd, title, additionalDirectories, facts, ...times } }) {
    const { changes } =
      this.#sql(`INSERT INTO sessions (id, tenant, agent, cwd, title, additional_directories, facts, created_at,
      updated_at, closed_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`).run(
        id,
        tenant,
        agent,
        cwd,
        JSON.stringify(title),
        JSON.stringify(additionalDirectories),
        JSON.stringify(facts),
        times.createdAt,
        times.updatedAt,
        times.closedAt,
      );
    if (Number(changes) === 0) throw refusal('taken');
    return this.#claimOf(this.#existing(tenant, id));
  }

  /** @param {Fields} parameters */
  claim({ tenant, id }) {
    this.#known.delete(id);
    this.#sql('UPDATE sessions SET epoch = epoch + 1 WHERE number = ?').run(this.#existing(tenant, id).number);
    return this.#claimOf(this.#existing(tenant, id));
  }

  /**
   * Appends events: after the claim, the list contains the time, the type, the payload and the key of each. Returns the number of the first event;
   * if some were dropped, the number of each, 0 for dropped ones.
   * @param {readonly any[]} parameters
   */
  append(parameters) {
    const [tenant, id, epoch] = parameters;
    const session = this.#claimed(tenant, id, epoch);
    const { number } = session;
    const insert = this.#sql(
      'INSERT INTO events (session, sequence, epoch, at, type, payload, key) VALUES (?, ?, ?, ?, ?, ?, ?)',
    );
    const first = session.head + 1;
    const sequences = [];
    for (let at = 3; at < parameters.length; at += 4) {
      const key = parameters[at + 3] ?? null;
      const next = session.head + 1;
      const isLeftOut = key !== null && !this.#isNewKey(number, key, next);
      sequences.push(isLeftOut ? 0 : next);
      if (isLeftOut) continue;
      insert.run(number, next, epoch, parameters[at], parameters[at + 1], parameters[at + 2], key);
      session.head = next;
    }
    return sequences.includes(0) ? sequences : first;
  }

  /** @param {Fields} parameters */
  update({ claim, change }) {
    const { number } = this.#claimed(claim.tenant, claim.id, claim.epoch);
    const values = { ...recordOf(this.#existing(claim.tenant, claim.id)), ...change };
    this.#sql(`UPDATE sessions SET agent = ?, title = ?, additional_directories = ?, facts = ?, updated_at = ?, closed_at = ?
      WHERE number = ?`).run(
      values.agent,
      JSON.stringify(values.title),
      JSON.stringify(values.additionalDirectories),
      JSON.stringify(values.facts),
      values.updatedAt,
      values.closedAt,
      number,
    );
  }

  /** @param {Fields} parameters */
  find({ tenant, id }) {
    const row = this.#sql(`SELECT ${columns} FROM sessions WHERE id = ? AND tenant = ?`).get(id, tenant);
    return row && recordOf(row);
  }

  /**
   * Returns the events until the page is full, and the data that shows whether events are missing.
   * @param {Fields} parameters
   */
  read({ tenant, id, sequence, limit, types, characters }) {
    const row = this.#existing(tenant, id);
    const ofTypes = types === undefined ? '' : 'AND type IN (SELECT value FROM json_each(?))';
    const query = this.#sql(
      `SELECT ${eventColumns} FROM events WHERE session = ? AND sequence > ? ${ofTypes} ORDER BY sequence LIMIT ?`,
    );
    const events = [];
    let left = characters;
    for (const each of query.iterate(
      row.number,
      sequence,
      ...(types === undefined ? [] : [JSON.stringify(types)]),
      limit,
    )) {
      left -= each.payload.length;
      if (left < 0 && events.length > 0) break;
      events.push(eventOf(each));
    }
    const at = this.#sql('SELECT epoch FROM events WHERE session = ? AND sequence = ?').get(row.number, sequence);
    return { events, epochAt: at?.epoch, ...this.#extentOf(row) };
  }

  /** @param {Fields} parameters */
  findByKey({ tenant, id, key }) {
    const { number } = this.#existing(tenant, id);
    const row = this.#sql(`SELECT ${eventColumns} FROM events WHERE session = ?1
      AND sequence = (SELECT sequence FROM event_keys WHERE session = ?1 AND key = ?2)`).get(number, key);
    return row && eventOf(row);
  }

  /** @param {Fields} parameters */
  findLast({ tenant, id, types }) {
    const { number } = this.#existing(tenant, id);
    const row =
      this.#sql(`SELECT ${eventColumns} FROM events WHERE session = ? AND type IN (SELECT value FROM json_each(?))
      ORDER BY sequence DESC LIMIT 1`).get(number, JSON.stringify(types));
    return row && eventOf(row);
  }

  /** @param {Fields} parameters */
  list({ tenant, cwd = null, after = null, limit }) {
    const rows = this.#sql(`SELECT ${columns} FROM sessions WHERE tenant = ?1 AND (?2 IS NULL OR cwd = ?2)
      AND (?3 IS NULL OR updated_at < ?3 OR (updated_at = ?3 AND id > ?4))
      ORDER BY updated_at DESC, id LIMIT ?5`).all(tenant, cwd, after?.updatedAt ?? null, after?.id ?? null, limit);
    return rows.map(recordOf);
  }

  /** @param {Fields} parameters */
  index({ claim, rows, upTo }) {
    const { number } = this.#claimed(claim.tenant, claim.id, claim.epoch);
    passageCalls.addPassages((text) => this.#sql(text), { session: number, rows });
    this.#sql('UPDATE sessions SET indexed_epoch = ?, indexed_sequence = ? WHERE number = ?').run(
      upTo.epoch,
      upTo.sequence,
      number,
    );
  }

  /** @param {Fields} query */
  search(query) {
    const record = this.#sql(`SELECT ${columns} FROM sessions WHERE number = ?`);
    const found = passageCalls.searchPassages((text) => this.#sql(text), query);
    return found.map(({ number, passages }) => ({ record: recordOf(record.get(number)), passages }));
  }

  /**
   * Returns the data that shows whether the events were deleted.
   * @param {Fields} parameters
   */
  trim({ claim, upTo }) {
    const { number } = this.#claimed(claim.tenant, claim.id, claim.epoch);
    const row = this.#existing(claim.tenant, claim.id);
    const extent = this.#extentOf(row);
    const at = this.#sql('SELECT epoch FROM events WHERE session = ? AND sequence = ?').get(number, upTo.sequence);
    const isKept = upTo.sequence > row.floor_sequence && at?.epoch === upTo.epoch;
    if (isKept) {
      this.#sql('DELETE FROM events WHERE session = ? AND sequence <= ?').run(number, upTo.sequence);
      passageCalls.deletePassages((text) => this.#sql(text), { session: number, upTo: upTo.sequence });
      this.#sql('UPDATE sessions SET floor_epoch = ?, floor_sequence = ? WHERE number = ?').run(
        upTo.epoch,
        upTo.sequence,
        number,
      );
    }
    return { epochAt: at?.epoch, ...extent };
  }

  /** @param {Fields} parameters */
  delete({ tenant, id }) {
    const { number } = this.#existing(tenant, id);
    this.#known.delete(id);
    passageCalls.deletePassages((text) => this.#sql(text), { session: number });
    for (const [table, column] of [
      ['events', 'session'],
      ['event_keys', 'session'],
      ['sessions', 'number'],
    ])
      this.#sql(`DELETE FROM ${table} WHERE ${column} = ?`).run(number);
  }

  /** @param {Fields} row */
  recordUsage(row) {
    usageCalls.recordUsage((text) => this.#sql(text), row);
  }

  /** @param {Fields} query */
  usage(query) {
    return usageCalls.usage((text) => this.#sql(text), query);
  }

  /** @param {Fields} query */
  lastReported(query) {
    return usageCalls.lastReported((text) => this.#sql(text), query);
  }

  /** @param {string} text */
  #sql(text) {
    const known = this.#prepared.get(text) ?? this.#database.prepare(text);
    this.#prepared.set(text, known);
    return known;
  }

  /** @param {Fields} row */
  #claimOf(row) {
    const indexedUpTo = { epoch: row.indexed_epoch, sequence: row.indexed_sequence };
    return { record: recordOf(row), epoch: row.epoch, head: this.#extentOf(row).head, indexedUpTo };
  }

  /**
   * The session of a tenant.
   * @param {string} tenant
   * @param {string} id
   */
  #existing(tenant, id) {
    const row = this.#sql(`SELECT ${columns} FROM sessions WHERE id = ? AND tenant = ?`).get(id, tenant);
    if (row === undefined) throw refusal('not-found');
    return row;
  }

  /** Drops entries that another connection may have changed. Call it in a transaction that excludes other writers. */
  #forgetChanged() {
    const now = this.#sql('PRAGMA data_version').get()?.data_version;
    if (now !== this.#dataVersion || this.#known.size > mostKnown) this.#known.clear();
    this.#dataVersion = now;
  }

  /**
   * The session of a claim that holds.
   * @param {string} tenant
   * @param {string} id
   * @param {number} epoch
   */
  #claimed(tenant, id, epoch) {
    const session = this.#known.get(id) ?? this.#learned(id);
    if (session?.epoch !== epoch || session?.tenant !== tenant) throw refusal('fenced');
    return session;
  }

  /** @param {string} id */
  #learned(id) {
    const row = this.#sql('SELECT number, tenant, epoch, floor_epoch, floor_sequence FROM sessions WHERE id = ?').get(
      id,
    );
    if (row === undefined) return undefined;
    const session = {
      tenant: row.tenant,
      number: row.number,
      epoch: row.epoch,
      head: this.#extentOf(row).head.sequence,
    };
    this.#known.set(id, session);
    return session;
  }

  /**
   * The beginning and the end of a session's log. In an empty log the head is the floor.
   * @param {Fields} row
   */
  #extentOf({ number, floor_epoch, floor_sequence }) {
    const floor = { epoch: floor_epoch, sequence: floor_sequence };
    const last = 'SELECT epoch, sequence FROM events WHERE session = ? ORDER BY sequence DESC LIMIT 1';
    return { floor, head: this.#sql(last).get(number) ?? floor };
  }

  /**
   * Stores a key. Returns false if the log has it.
   * @param {number} session
   * @param {string} key
   * @param {number} sequence
   */
  #isNewKey(session, key, sequence) {
    const insert = this.#sql('INSERT INTO event_keys (session, key, sequence) VALUES (?, ?, ?) ON CONFLICT DO NOTHING');
    return Number(insert.run(session, key, sequence).changes) > 0;
  }
}
