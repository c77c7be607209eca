import type { AuditEntry } from '@turnwire/gateway';
import type { Database } from '../postgres/database.ts';

/** Entries that one statement stores, and that may wait while the database is unavailable. */
const maxTogether = 1_000;
const maxWaiting = 100_000;

/** Stores audit entries of all nodes in one table of the cluster's database: `turnwire_audit`. */
export class AuditTable {
  readonly #database: Database;
  readonly #node: string;
  readonly #onFailed: (reason: string) => void;
  #waiting: AuditEntry[] = [];
  #storing: Promise<void> | undefined;

  /** @param onFailed called with the reason when entries could not be stored and are lost */
  constructor(database: Database, node: string, onFailed: (reason: string) => void) {
    this.#database = database;
    this.#node = node;
    this.#onFailed = onFailed;
  }

  /** Queues an entry. Entries of the same time are stored together. */
  add(entry: AuditEntry): void {
    if (this.#waiting.push(entry) > maxWaiting) {
      this.#waiting = [];
      this.#onFailed(`${maxWaiting} entries wait for the database`);
    }
    this.#storing ??= this.#store();
  }

  /** Resolves when every entry is stored or lost. */
  async close(): Promise<void> {
    await this.#storing;
  }

  async #store(): Promise<void> {
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const entries = this.#waiting.splice(0, maxTogether);
      await this.#insert(entries).catch((error: unknown) => this.#onFailed((error as Error).message));
    }
    this.#storing = undefined;
  }

  /** A retry after a lost answer may store entries twice. */
  #insert(entries: readonly AuditEntry[]): Promise<unknown> {
    return this.#database.query(
      `INSERT INTO turnwire_audit (node, at, what, tenant, session, entry)
        SELECT $1, to_timestamp(at / 1000.0), what, tenant, session, entry
        FROM unnest($2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[]) AS added (at, what, tenant, session, entry)
        RETURNING number`,
      [
        this.#node,
        entries.map(({ at }) => at),
        entries.map(({ what }) => what),
        entries.map(({ tenant }) => tenant ?? null),
        entries.map(({ session }) => session ?? null),
        // PostgreSQL text cannot contain NUL, but a client's name may.
        entries.map((entry) => JSON.stringify(entry)),
      ],
    );
  }
}
