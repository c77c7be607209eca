import type { LiveUse, TenantFigures } from '../quotas/tenant-use.ts';
import type { Database } from '../postgres/database.ts';
import type { StoredUse } from '@turnwire/runtime';

/** A tenant's use of a database and its nodes. */
export interface TenantTotals extends LiveUse, StoredUse {
  readonly tenant: string;
}

const nothing: LiveUse = { agents: 0, prompts: 0, transferredBytes: 0 };

/** Shares the tenants' use of nodes: this node publishes its own counts, and reads those of the others. */
export class SharedUse {
  readonly #database: Database;
  readonly #node: string;
  #figures: (() => readonly TenantFigures[]) | undefined;
  #elsewhere: ReadonlyMap<string, LiveUse> = new Map();
  #shared: readonly string[] = [];
  #sharing: Promise<void> | undefined;

  constructor(database: Database, node: string) {
    this.#database = database;
    this.#node = node;
  }

  /** The totals of all tenants of a database. */
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

  /** @param figures the tenants' use of this node, from the next sharing on */
  shareFrom(figures: () => readonly TenantFigures[]): void {
    this.#figures = figures;
  }

  /** A tenant's use of the other nodes when it was last read. */
  elsewhere(tenant: string): LiveUse {
    return this.#elsewhere.get(tenant) ?? nothing;
  }

  /** Starts publishing the counts of this node and reading those of the others, unless that is under way. */
  share(): void {
    const figures = this.#figures?.() ?? [];
    const tenants = figures.map(({ tenant }) => tenant);
    const ended = this.#shared.filter((tenant) => !tenants.includes(tenant));
    if (this.#sharing || tenants.length + ended.length === 0) return;
    // Figures that could not be published are published the next time.
    this.#sharing = this.#publish(figures, ended)
      .then(() => void (this.#shared = tenants))
      .catch(() => undefined)
      .finally(() => (this.#sharing = undefined));
  }

  async #publish(figures: readonly TenantFigures[], ended: readonly string[]): Promise<void> {
    const rows = await this.#database.query<UseRow>(
      `WITH ended AS (DELETE FROM turnwire_uses WHERE node = $1 AND tenant = ANY ($6)), shared AS (
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
        ended,
      ],
    );
    this.#elsewhere = new Map(rows.map((row) => [row.tenant, useOf(row)]));
  }
}

/** The driver returns sums as strings. */
interface UseRow {
  readonly tenant: string;
  readonly agents: string;
  readonly prompts: string;
  readonly transferred_bytes: string;
}

function useOf({ agents, prompts, transferred_bytes }: UseRow): LiveUse {
  return { agents: Number(agents), prompts: Number(prompts), transferredBytes: Number(transferred_bytes) };
}
