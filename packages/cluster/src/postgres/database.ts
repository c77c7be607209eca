import { setMaxListeners } from 'node:events';
import { backOff, pause } from '@turnwire/machine/waits';
import type { Pool as Connections, PoolClient } from 'pg';
import { StoreError } from '@turnwire/runtime';
import { mayPass, storeErrorOf } from './postgres-failure.ts';
import { migrationLock, migrations } from './postgres-tables.ts';

/** Where the database is. */
export interface DatabaseOptions {
  /** `postgresql://USER:PASSWORD@HOST:PORT/DATABASE`. */
  readonly url: string;
  /** How long to go on trying while the server is away, in milliseconds. */
  readonly patience: number;
  /** How many connections at most. */
  readonly connections: number;
  /** Called with the reason when the server is away and a statement waits for it, once until it is back. */
  readonly onAway?: ((reason: string) => void) | undefined;
}

/** What a statement is sent with. */
export type Values = readonly unknown[];

/** A database whose server may be away for a while: statements wait for it and are sent again. Its tables are made by the first of them. */
export class Database {
  readonly #options: DatabaseOptions;
  #pool: Promise<Connections> | undefined;
  #isReady = false;
  #isAway = false;
  #making: Promise<void> | undefined;
  readonly #closing = new AbortController();

  constructor(options: DatabaseOptions) {
    this.#options = options;
    // Each statement that waits for the server is one.
    setMaxListeners(0, this.#closing.signal);
  }

  /** Sends one statement, once more if its answer was lost: it must not matter whether it was done before. */
  query<Row>(text: string, values: Values): Promise<readonly Row[]> {
    return this.whenThere((query) => query<Row>(text, values));
  }

  /**
   * Does work, again from its beginning if the server was away. Rejects with a StoreError.
   * @param work what sends statements; `attempt` counts from 0
   */
  async whenThere<Result>(work: (query: Database['query'], attempt: number) => Promise<Result>): Promise<Result> {
    const { patience } = this.#options;
    const until = performance.now() + patience;
    const delays = backOff({ most: 2_000 });
    for (let attempt = 0; ; attempt++) {
      this.#refuseClosed();
      try {
        const pool = await this.#ready();
        const query = async <Row>(text: string, values: Values): Promise<readonly Row[]> =>
          (await pool.query(text, [...values])).rows as readonly Row[];
        const result = await work(query, attempt);
        this.#isAway = false;
        return result;
      } catch (error) {
        this.#refuseClosed();
        const failure = storeErrorOf(error, this.#place);
        if (!mayPass(error) || performance.now() > until) throw failure;
        if (!this.#isAway) this.#options.onAway?.(failure.message);
        this.#isAway = true;
        await pause(delays.next().value, this.#closing.signal).catch(() => undefined);
      }
    }
  }

  async close(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    await (await this.#pool?.catch(() => undefined))?.end();
  }

  get #place(): string {
    try {
      const { hostname, port, pathname, searchParams } = new URL(this.#options.url);
      const host = hostname || searchParams.get('host') || 'localhost';
      return `${host}${port && `:${port}`}${pathname}`;
    } catch {
      return '(an address that is no URL)';
    }
  }

  #refuseClosed(): void {
    if (this.#closing.signal.aborted) throw new StoreError('failed', 'the store is closed');
  }

  async #ready(): Promise<Connections> {
    this.#pool ??= this.#open();
    const pool = await this.#pool;
    if (this.#isReady) return pool;
    this.#making ??= makeTables(pool).finally(() => (this.#making = undefined));
    await this.#making;
    this.#isReady = true;
    return pool;
  }

  async #open(): Promise<Connections> {
    const { Pool } = await import('./driver.ts').catch((error: unknown) => {
      throw new StoreError('failed', 'the driver for PostgreSQL is missing; install the package pg@8.23.1', {
        cause: error,
      });
    });
    const { url: connectionString, connections: max } = this.#options;
    const pool = new Pool({
      connectionString,
      max,
      application_name: 'turnwire',
      // For a new connection, and for one that is free: thousands of sessions may be opened at once.
      connectionTimeoutMillis: 30_000,
    });
    // A connection that breaks while it is idle: the next statement has another one.
    pool.on('error', () => undefined);
    return pool;
  }
}

/** Makes the tables, or brings them to this version, in one transaction. */
async function makeTables(pool: Connections): Promise<void> {
  const connection = await pool.connect();
  // Its end is an event here, and no error of the pool: the statement that runs, or the next one, fails by itself.
  const ignored = (): void => undefined;
  connection.on('error', ignored);
  let failure: unknown;
  try {
    await connection.query('BEGIN');
    await connection.query('SELECT pg_advisory_xact_lock($1)', [migrationLock]);
    await migrate(connection);
    await connection.query('COMMIT');
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    connection.off('error', ignored);
    // With an error the connection is closed, which rolls back.
    connection.release(failure !== undefined);
  }
}

async function migrate(connection: PoolClient): Promise<void> {
  await connection.query(
    'CREATE TABLE IF NOT EXISTS turnwire_migrations (version integer PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())',
  );
  const { rows } = await connection.query('SELECT coalesce(max(version), 0) AS version FROM turnwire_migrations');
  const { version } = rows[0] as { readonly version: number };
  if (version > migrations.length)
    throw new StoreError(
      'failed',
      'the tables of this database were made by a newer version of this program; use that one',
    );
  for (const [index, statements] of migrations.entries()) {
    if (index < version) continue;
    await connection.query(statements);
    await connection.query('INSERT INTO turnwire_migrations (version) VALUES ($1)', [index + 1]);
  }
}
