import { setMaxListeners } from 'node:events';
import { backOff, pause } from '@turnwire/machine/waits';
import type { Pool as Connections, PoolClient } from 'pg';
import { StoreError } from '@turnwire/runtime';
import { isTemporary, storeErrorOf } from './postgres-failure.ts';
import { migrationLock, migrations } from './postgres-tables.ts';

/** Options of a {@link Database}. */
export interface DatabaseOptions {
  /** `postgresql://USER:PASSWORD@HOST:PORT/DATABASE`. */
  readonly url: string;
  /** How long statements are retried while the server is unavailable, in milliseconds. */
  readonly timeout: number;
  /** The maximum number of connections. */
  readonly connections: number;
  /** Called with the reason when a statement waits for an unavailable server: once until the server is available again. */
  readonly onUnavailable?: ((reason: string) => void) | undefined;
}

/** The parameters of a statement. */
export type Values = readonly unknown[];

/** A database whose server may be unavailable for a while: statements wait and are sent again. The first statement creates the tables. */
export class Database {
  readonly #options: DatabaseOptions;
  #pool: Promise<Connections> | undefined;
  #isReady = false;
  #isUnavailable = false;
  #creating: Promise<void> | undefined;
  readonly #closing = new AbortController();

  constructor(options: DatabaseOptions) {
    this.#options = options;
    // Each waiting statement adds a listener.
    setMaxListeners(0, this.#closing.signal);
  }

  /** Sends one statement, again if its answer was lost. It must give the same result if it was already executed. */
  query<Row>(text: string, values: Values): Promise<readonly Row[]> {
    return this.whenThere((query) => query<Row>(text, values));
  }

  /**
   * Runs work, from its start again if the server was unavailable. Rejects with a StoreError.
   * @param work sends statements; `attempt` counts from 0
   */
  async whenThere<Result>(work: (query: Database['query'], attempt: number) => Promise<Result>): Promise<Result> {
    const { timeout } = this.#options;
    const until = performance.now() + timeout;
    const delays = backOff({ most: 2_000 });
    for (let attempt = 0; ; attempt++) {
      this.#refuseClosed();
      try {
        const pool = await this.#ready();
        const query = async <Row>(text: string, values: Values): Promise<readonly Row[]> =>
          (await pool.query(text, [...values])).rows as readonly Row[];
        const result = await work(query, attempt);
        this.#isUnavailable = false;
        return result;
      } catch (error) {
        this.#refuseClosed();
        const failure = storeErrorOf(error, this.#location);
        if (!isTemporary(error) || performance.now() > until) throw failure;
        if (!this.#isUnavailable) this.#options.onUnavailable?.(failure.message);
        this.#isUnavailable = true;
        await pause(delays.next().value, this.#closing.signal).catch(() => undefined);
      }
    }
  }

  async close(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    await (await this.#pool?.catch(() => undefined))?.end();
  }

  get #location(): string {
    try {
      const { hostname, port, pathname, searchParams } = new URL(this.#options.url);
      const host = hostname || searchParams.get('host') || 'localhost';
      return `${host}${port && `:${port}`}${pathname}`;
    } catch {
      return '(an invalid URL)';
    }
  }

  #refuseClosed(): void {
    if (this.#closing.signal.aborted) throw new StoreError('failed', 'the store is closed');
  }

  async #ready(): Promise<Connections> {
    this.#pool ??= this.#open();
    const pool = await this.#pool;
    if (this.#isReady) return pool;
    this.#creating ??= createTables(pool).finally(() => (this.#creating = undefined));
    await this.#creating;
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
      // Applies to new connections and to waiting for a free one: thousands of sessions may be opened at once.
      connectionTimeoutMillis: 30_000,
    });
    // An idle connection broke: the next statement uses another one.
    pool.on('error', () => undefined);
    return pool;
  }
}

/** Creates the tables, or updates them to this version, in one transaction. */
async function createTables(pool: Connections): Promise<void> {
  const connection = await pool.connect();
  // The connection reports its end as an event, not as a pool error; the running or next statement then fails by itself.
  const ignore = (): void => undefined;
  connection.on('error', ignore);
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
    connection.off('error', ignore);
    // Passing true closes the connection, which rolls back.
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
