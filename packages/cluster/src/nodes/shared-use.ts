import type { LiveUse, TenantFigures } from '../quotas/tenant-use.ts';
import type { Database } from '../postgres/database.ts';
import type { StoredUse } from '@turnwire/runtime';

/** What a tenant uses of a database and its nodes. */
export interface TenantTotals extends LiveUse, StoredUse {
  readonly tenant: string;
}

const nothing: LiveUse = { agents: 0, prompts: 0, transferredBytes: 0 };

/** What tenants use of several nodes: this one says what it counts, and reads what the others have said. */
export class SharedUse {
  readonly #database: Database;
  readonly #node: string;
  #figures: (() => readonly TenantFigures[]) | undefined;
  #elsewhere: ReadonlyMap<string, LiveUse> = new Map();
  #said: readonly string[] = [];
  #sharing: Promise<void> | undefined;

  constructor(database: Database, node: string) {
    this.#database = database;
    this.#node = node;
  }

  /** What all tenants of a database have and use. */
  static async totals(database: Database): Promise<readonly TenantTotals[]> {
    const rows = await database.query<UseRow & { readonly sessions: string; readonly stored_bytes: string }>(
      `SELECT tenant, coalesce(sessions, 0) AS sessions, coalesce(stored_bytes, 0) AS stored_bytes,
          coalesce(agents, 0) AS agents, coalesce(prompts, 0) AS prompts, coalesce(transferred_bytes, 0) AS transferred_bytes
        FROM (SELECT tenant, count(*) AS sessions, sum(bytes) AS stored_bytes FROM turnwire_sessions GROUP BY tenant) AS stored
        FULL JOIN (
          SELECT tenant, sum(agents) AS agents, sum(prompts) AS prompts, sum(transferred_bytes) AS transferred_bytes
          FROM turnwire_uses GROUP BY tenant
        ) AS used USING (tenant) ORDER BY tenant`,
      [],
    );
    return rows.map((row) => ({
      tenant: row.tenant,
      sessions: Number(row.sessions),
      storedBytes: Number(row.stored_bytes),
      ...useOf(row),
    }));
  }

  /** @param figures what tenants use of this node, from the next sharing on */
  shareFrom(figures: () => readonly TenantFigures[]): void {
    this.#figures = figures;
  }

  /** What a tenant used of the other nodes when that was last read. */
  elsewhere(tenant: string): LiveUse {
    return this.#elsewhere.get(tenant) ?? nothing;
  }

  /** Says what this node counts, and reads what the others do, unless that is being done. Does not wait for it. */
  share(): void {
    const figures = this.#figures?.() ?? [];
    const tenants = figures.map(({ tenant }) => tenant);
    const over = this.#said.filter((tenant) => !tenants.includes(tenant));
    if (this.#sharing || tenants.length + over.length === 0) return;
    // What could not be said is said the next time.
    this.#sharing = this.#say(figures, over)
      .then(() => void (this.#said = tenants))
      .catch(() => undefined)
      .finally(() => (this.#sharing = undefined));
  }

  async #say(figures: readonly TenantFigures[], over: readonly string[]): Promise<void> {
    const rows = await this.#database.query<UseRow>(
      `WITH over AS (DELETE FROM turnwire_uses WHERE node = $1 AND tenant = ANY ($6)), said AS (
          INSERT INTO turnwire_uses (node, tenant, agents, prompts, transferred_bytes)
          SELECT $1, * FROM unnest($2::text[], $3::int[], $4::bigint[], $5::bigint[])
          ON CONFLICT (tenant, node) DO UPDATE SET agents = excluded.agents, prompts = excluded.prompts,
            transferred_bytes = excluded.transferred_bytes
        )
        SELECT tenant, sum(agents) AS agents, sum(prompts) AS prompts, sum(transferred_bytes) AS transferred_bytes
        FROM turnwire_uses WHERE tenant = ANY ($2) AND node <> $1 GROUP BY tenant`,
      [
        this.#node,
        figures.map(({ tenant }) => tenant),
        figures.map(({ agents }) => agents),
        figures.map(({ prompts }) => prompts),
        figures.map(({ transferredBytes }) => transferredBytes),
        over,
      ],
    );
    this.#elsewhere = new Map(rows.map((row) => [row.tenant, useOf(row)]));
  }
}

/** The driver has sums as texts. */
interface UseRow {
  readonly tenant: string;
  readonly agents: string;
  readonly prompts: string;
  readonly transferred_bytes: string;
}

function useOf({ agents, prompts, transferred_bytes }: UseRow): LiveUse {
  return { agents: Number(agents), prompts: Number(prompts), transferredBytes: Number(transferred_bytes) };
}
