// @ts-check
// The searchable texts of sessions, in the database of `sqlite-database.mjs`.

/**
 * The index has only words that the store has made of the texts, so its tokenizer just splits them. It stores no positions, because a search accepts
 * words in any order. `contentless_delete` keeps the words, not the text a second time. `prefix`: without it a search for the beginning of a frequent word
 * takes ten times as long.
 */
export const passageTable = `
  CREATE TABLE passages (
    number INTEGER PRIMARY KEY,
    session INTEGER NOT NULL,
    kind TEXT NOT NULL,
    epoch INTEGER NOT NULL,
    sequence INTEGER NOT NULL,
    at INTEGER NOT NULL,
    text TEXT NOT NULL
  );
  CREATE INDEX passages_by_session ON passages (session, sequence);
  CREATE VIRTUAL TABLE passage_words
    USING fts5(words, content='', contentless_delete=1, detail=none, prefix='1 2 3 4 5 6', tokenize='ascii');`;

/** @typedef {(text: string) => any} Sql returns the prepared statement of a text */
/** @typedef {Record<string, any>} Fields */

export const passageCalls = {
  /**
   * Adds passages to a session. A title replaces the earlier one.
   * @param {Sql} sql
   * @param {{ readonly session: number, readonly rows: readonly Fields[] }} texts
   */
  addPassages(sql, { session, rows }) {
    if (rows.some(({ kind }) => kind === 'title')) deleteWhere(sql, `session = ? AND kind = 'title'`, [session]);
    for (const { kind, epoch, sequence, at, text, words } of rows) {
      if (text === '') continue;
      const insert = 'INSERT INTO passages (session, kind, epoch, sequence, at, text) VALUES (?, ?, ?, ?, ?, ?)';
      const { lastInsertRowid } = sql(insert).run(session, kind, epoch, sequence, at, text);
      sql('INSERT INTO passage_words (rowid, words) VALUES (?, ?)').run(lastInsertRowid, words);
    }
  },

  /**
   * Finds sessions by their number, those with the newest match first, each with its newest matches. Ends as soon as there are enough.
   * @param {Sql} sql
   * @param {Fields} query
   */
  searchPassages(sql, { tenant, session = null, match, limit, most, mostMatches }) {
    /** @type {Map<number, Fields[]>} */
    const found = new Map();
    const matches = sql(`SELECT passages.session, kind, passages.epoch, sequence, at, text FROM passage_words
      CROSS JOIN passages ON passages.number = passage_words.rowid CROSS JOIN sessions ON sessions.number = passages.session
      WHERE passage_words MATCH ?1 AND tenant = ?2 AND (?3 IS NULL OR id = ?3)
      ORDER BY passage_words.rowid DESC LIMIT ?4`);
    for (const { session: number, ...passage } of matches.iterate(match, tenant, session, most)) {
      const known = found.get(number);
      if (!known && found.size >= limit) break;
      if (!known) found.set(number, [passage]);
      else if (known.length < mostMatches) known.push(passage);
    }
    return [...found].map(([number, passages]) => ({ number, passages }));
  },

  /**
   * Deletes the passages of a session; `upTo`: those of events up to this one.
   * @param {Sql} sql
   * @param {{ readonly session: number, readonly upTo?: number }} range
   */
  deletePassages(sql, { session, upTo }) {
    if (upTo === undefined) deleteWhere(sql, 'session = ?', [session]);
    else deleteWhere(sql, `session = ? AND sequence BETWEEN 1 AND ?`, [session, upTo]);
  },
};

/**
 * @param {Sql} sql
 * @param {string} where
 * @param {readonly (number | string)[]} values
 */
function deleteWhere(sql, where, values) {
  sql(`DELETE FROM passage_words WHERE rowid IN (SELECT number FROM passages WHERE ${where})`).run(...values);
  sql(`DELETE FROM passages WHERE ${where}`).run(...values);
}
