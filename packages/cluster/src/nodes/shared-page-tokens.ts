import {
  digestOf,
  type StoredPageToken,
  type PageGrant,
  type PageTokenStore,
  type PageTokenKind,
  type PageTokenOwner,
} from '@turnwire/gateway';
import type { Database } from '../postgres/database.ts';

/** How many of a kind there may be in a database; the oldest are dropped for new ones. */
const most = 100_000;

/** A pass of a digest and a kind that is not too old. */
const asked = 'WHERE digest = $1 AND kind = $2 AND expires_at > clock_timestamp()';

/** Passes in the database of a cluster: a page that was logged in by one node is known to all, also when that one is gone. */
export class SharedPageTokens implements PageTokenStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async add(
    kind: PageTokenKind,
    secret: string,
    { owner, origin, time }: PageGrant & { readonly time: number },
  ): Promise<void> {
    await this.#database.query(
      `WITH over AS (
          DELETE FROM turnwire_passes WHERE expires_at <= clock_timestamp() OR digest IN (
            SELECT digest FROM turnwire_passes WHERE kind = $2 ORDER BY expires_at DESC OFFSET $6
          )
        )
        INSERT INTO turnwire_passes (digest, kind, owner, origin, expires_at)
        VALUES ($1, $2, $3, $4, clock_timestamp() + $5 * interval '1 millisecond')
        ON CONFLICT (digest) DO NOTHING RETURNING digest`,
      [digestOf(secret), kind, JSON.stringify(owner), origin, time, most],
    );
  }

  async find(kind: PageTokenKind, secret: string): Promise<PageGrant | undefined> {
    return this.#passOf(`SELECT owner, origin FROM turnwire_passes ${asked}`, [digestOf(secret), kind]);
  }

  /** One whose answer is lost on the way from the database is lost: a new ticket is made in a moment, and none is good twice. */
  async take(kind: PageTokenKind, secret: string): Promise<PageGrant | undefined> {
    return this.#passOf(`DELETE FROM turnwire_passes ${asked} RETURNING owner, origin`, [digestOf(secret), kind]);
  }

  async logins(tenant: string): Promise<readonly StoredPageToken[]> {
    const rows = await this.#database.query<{
      readonly digest: string;
      readonly owner: string;
      readonly origin: string;
      readonly ends: string;
    }>(
      `SELECT digest, owner, origin, extract(epoch FROM expires_at)::text AS ends FROM turnwire_passes
        WHERE kind = 'page' AND owner::jsonb->'principal'->>'tenant' = $1 AND expires_at > clock_timestamp()`,
      [tenant],
    );
    return rows.map(({ digest, owner, origin, ends }) => ({
      digest,
      owner: JSON.parse(owner) as PageTokenOwner,
      origin,
      expiresAt: Number(ends) * 1_000,
    }));
  }

  async end(digest: string): Promise<void> {
    await this.#database.query(`DELETE FROM turnwire_passes WHERE digest = $1 AND kind = 'page' RETURNING digest`, [
      digest,
    ]);
  }

  async #passOf(statement: string, values: readonly string[]): Promise<PageGrant | undefined> {
    const [row] = await this.#database.query<{ readonly owner: string; readonly origin: string }>(statement, values);
    return row && { owner: JSON.parse(row.owner) as PageTokenOwner, origin: row.origin };
  }
}
