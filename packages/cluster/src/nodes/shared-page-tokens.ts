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

/** The condition for an unexpired secret of a kind. */
const unexpired = 'WHERE digest = $1 AND kind = $2 AND expires_at > clock_timestamp()';

/** Stores page tokens in the database of a cluster: a page that one node logged in is known to all, even after that node has gone. */
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
      `WITH ended AS (
          DELETE FROM turnwire_page_tokens WHERE expires_at <= clock_timestamp() OR digest IN (
            SELECT digest FROM turnwire_page_tokens WHERE kind = $2 ORDER BY expires_at DESC OFFSET $6
          )
        )
        INSERT INTO turnwire_page_tokens (digest, kind, owner, origin, expires_at)
        VALUES ($1, $2, $3, $4, clock_timestamp() + $5 * interval '1 millisecond')
        ON CONFLICT (digest) DO NOTHING RETURNING digest`,
      [digestOf(secret), kind, JSON.stringify(owner), origin, time, most],
    );
  }

  async find(kind: PageTokenKind, secret: string): Promise<PageGrant | undefined> {
    return this.#grantOf(`SELECT owner, origin FROM turnwire_page_tokens ${unexpired}`, [digestOf(secret), kind]);
  }

  /** If the answer of the database is lost, so is the secret: the page requests a new ticket, and no ticket is accepted twice. */
  async take(kind: PageTokenKind, secret: string): Promise<PageGrant | undefined> {
    return this.#grantOf(`DELETE FROM turnwire_page_tokens ${unexpired} RETURNING owner, origin`, [
      digestOf(secret),
      kind,
    ]);
  }

  async logins(tenant: string): Promise<readonly StoredPageToken[]> {
    const rows = await this.#database.query<{
      readonly digest: string;
      readonly owner: string;
      readonly origin: string;
      readonly ends: string;
    }>(
      `SELECT digest, owner, origin, extract(epoch FROM expires_at)::text AS ends FROM turnwire_page_tokens
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
    await this.#database.query(
      `DELETE FROM turnwire_page_tokens WHERE digest = $1 AND kind = 'page' RETURNING digest`,
      [digest],
    );
  }

  async #grantOf(statement: string, values: readonly string[]): Promise<PageGrant | undefined> {
    const [row] = await this.#database.query<{ readonly owner: string; readonly origin: string }>(statement, values);
    return row && { owner: JSON.parse(row.owner) as PageTokenOwner, origin: row.origin };
  }
}
