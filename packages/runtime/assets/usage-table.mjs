// @ts-check
// The record of usage, in the database of `sqlite-database.mjs`.

export const usageTable = `
  CREATE TABLE usage (
    id TEXT PRIMARY KEY,
    tenant TEXT NOT NULL,
    session TEXT NOT NULL,
    agent TEXT NOT NULL,
    model TEXT,
    folder TEXT NOT NULL,
    at INTEGER NOT NULL,
    day TEXT NOT NULL,
    milliseconds INTEGER NOT NULL,
    input INTEGER,
    output INTEGER,
    cache_read INTEGER,
    cache_write INTEGER,
    total INTEGER,
    cost REAL,
    currency TEXT,
    agent_session TEXT,
    reported REAL
  ) WITHOUT ROWID;
  CREATE INDEX usage_by_day ON usage (tenant, day);
  CREATE INDEX usage_by_session ON usage (tenant, session);
  CREATE INDEX usage_by_agent_session ON usage (tenant, agent_session, at);`;

/** The columns to group by. */
const groups = ['agent', 'model', 'folder', 'day', 'session'];

/** @typedef {Record<string, any>} Fields */

/** The calls about usage. */
export const usageCalls = {
  /**
   * @param {(text: string) => any} sql
   * @param {Fields} row the values of the columns in their order
   */
  recordUsage(sql, { values }) {
    sql(`INSERT OR REPLACE INTO usage VALUES (${values.map(() => '?').join(', ')})`).run(...values);
  },

  /**
   * Returns a sum for each group and currency.
   * @param {(text: string) => any} sql
   * @param {Fields} query
   */
  usage(sql, { tenant, session = null, since = null, by }) {
    const key = groups.includes(by) ? by : 'NULL';
    return sql(`SELECT ${key} AS key, currency, count(*) AS turns, total(milliseconds) AS milliseconds,
      total(input) AS input, total(output) AS output, total(cache_read) AS cacheRead, total(cache_write) AS cacheWrite,
      total(total) AS total, count(*) - count(total) AS turnsWithoutTokens, total(cost) AS cost
      FROM usage WHERE tenant = ?1 AND (?2 IS NULL OR session = ?2) AND (?3 IS NULL OR day >= ?3)
      GROUP BY 1, 2`).all(tenant, session, since);
  },

  /**
   * @param {(text: string) => any} sql
   * @param {Fields} query
   */
  lastReported(sql, { tenant, agentSession }) {
    const row = sql(`SELECT reported FROM usage WHERE tenant = ? AND agent_session = ? AND reported IS NOT NULL
      ORDER BY at DESC LIMIT 1`).get(tenant, agentSession);
    return row?.reported;
  },
};
