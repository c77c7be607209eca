import type { AuditEntry } from '@turnwire/gateway';
import type { Database } from '../postgres/database.ts';

/** How many entries one statement stores, and how many wait at most while the database is away. */
const mostTogether = 1_000;
const mostWaiting = 100_000;

/** Audit entries in the database of a cluster, those of all nodes in one table: `turnwire_audit`. */
export class AuditTable {
  readonly #database: Database;
  readonly #node: string;
  readonly #onFailed: (reason: string) => void;
  #waiting: AuditEntry[] = [];
  #storing: Promise<void> | undefined;

  /** @param onFailed called when entries could not be stored, and are lost */
  constructor(database: Database, node: string, onFailed: (reason: string) => void) {
    this.#database = database;
    this.#node = node;
    this.#onFailed = onFailed;
  }

  /** Stores an entry with those that come at the same time. Does not wait for it. */
  add(entry: AuditEntry): void {
    if (this.#waiting.push(entry) > mostWaiting) {
      this.#waiting = [];
      this.#onFailed(`${mostWaiting} entries wait for the database`);
    }
    this.#storing ??= this.#store();
  }

  /** Resolves when everything is stored, or cannot be. */
  async close(): Promise<void> {
    await this.#storing;
  }

  async #store(): Promise<void> {
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const entries = this.#waiting.splice(0, mostTogether);
      await this.#insert(entries).catch((error: unknown) => this.#onFailed((error as Error).message));
    }
    this.#storing = undefined;
  }

  /** An answer that is lost may mean that they are there: then they are there twice. */
  #insert(entries: readonly AuditEntry[]): Promise<unknown> {
    return this.#database.query(
      `INSERT INTO turnwire_audit (node, at, what, tenant, session, entry)
        SELECT $1, to_timestamp(at / 1000.0), what, tenant, session, entry
        FROM unnest($2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[]) AS given (at, what, tenant, session, entry)
        RETURNING number`,
      [
        this.#node,
        entries.map(({ at }) => at),
        entries.map(({ what }) => what),
        entries.map(({ tenant }) => tenant ?? null),
        entries.map(({ session }) => session ?? null),
        // PostgreSQL has no texts with a NUL character, and what a client calls itself may have one.
        entries.map((entry) => JSON.stringify(entry)),
      ],
    );
  }
}
