import type { FoundSession, IndexedTexts, Passage, SessionRecord, TextQuery } from '@turnwire/runtime';
import {
  checkLimit,
  FoundSessions,
  indexedWords,
  mostMatches,
  mostScanned,
  queryWords,
  tenantWord,
} from '@turnwire/runtime/store';
import type { Database, Values } from './database.ts';
import { recordOf, type SessionRow } from './rows.ts';

/** The session of passages to index, its claim, and the node that must have it. */
interface IndexedSession {
  readonly tenant: string;
  readonly id: string;
  readonly epoch: number;
  readonly node: string | null;
}

/**
 * Indexes texts of a session. Returns whether the claim holds. The statement stores all or nothing. It can be sent again: it deletes the
 * passages of the events after the indexed ones first.
 * @param mayWrite the condition that the node with parameter `$4` may write
 */
export async function indexTexts(
  database: Database,
  { session: { tenant, id, epoch, node }, mayWrite }: { readonly session: IndexedSession; readonly mayWrite: string },
  { passages, upTo }: IndexedTexts,
): Promise<boolean> {
  const kept = passages.filter(({ text }) => text !== '');
  const rows = await database.query(
    `WITH owned AS (
      UPDATE turnwire_sessions SET indexed_epoch = $5, indexed_sequence = $6
      WHERE id = $1 AND tenant = $2 AND epoch = $3 AND ${mayWrite} RETURNING number
    ), replaced AS (
      DELETE FROM turnwire_passages USING owned WHERE session = owned.number
        AND ((kind = 'title' AND $7) OR (kind <> 'title' AND sequence >= $8))
    ), added AS (
      INSERT INTO turnwire_passages (session, kind, epoch, sequence, at, text, words)
      SELECT owned.number, kind, passage.epoch, sequence, at, text, array_to_tsvector(string_to_array(words, ' '))
      FROM owned, unnest($9::text[], $10::int[], $11::bigint[], $12::bigint[], $13::text[], $14::text[])
        WITH ORDINALITY AS passage (kind, epoch, sequence, at, text, words, index) ORDER BY index
    ) SELECT number FROM owned`,
    [
      ...[id, tenant, epoch, node, upTo.epoch, upTo.sequence],
      passages.some(({ kind }) => kind === 'title'),
      firstSequence(kept),
      ...columnsOf(kept, tenant),
    ],
  );
  return rows.length > 0;
}

/** The first event of the passages: texts of events are indexed in order, so later ones are those of an earlier attempt. */
function firstSequence(passages: readonly Passage[]): number {
  const sequences = passages.flatMap(({ sequence }) => (sequence > 0 ? [sequence] : []));
  return sequences.reduce((least, sequence) => Math.min(least, sequence), Number.MAX_SAFE_INTEGER);
}

function columnsOf(passages: readonly Passage[], tenant: string): Values {
  return [
    passages.map(({ kind }) => kind),
    passages.map(({ epoch }) => epoch),
    passages.map(({ sequence }) => sequence),
    passages.map(({ at }) => at),
    passages.map(({ text }) => text),
    passages.map(({ text }) => indexedWords(tenant, text).join(' ')),
  ];
}

/** A match with its session. */
type FoundRow = SessionRow & {
  readonly passage: Omit<Passage, 'epoch' | 'sequence' | 'at'> & {
    readonly epoch: number;
    readonly sequence: number;
    readonly at: number;
  };
};

/** Finds sessions by their texts, those with the newest match first. */
export async function searchTexts(
  database: Database,
  { tenant, session, text, limit }: TextQuery,
): Promise<readonly FoundSession<SessionRecord>[]> {
  checkLimit(limit);
  const words = queryWords(text);
  if (words.length === 0) return [];
  // Words consist of letters and digits alone.
  const query = [`'${tenantWord(tenant)}'`, ...words.map((word) => `'${word}':*`)].join(' & ');
  const rows = await database.query<FoundRow>(
    `SELECT session.*, json_build_object(
        'kind', kind, 'epoch', match.epoch, 'sequence', sequence, 'at', at, 'text', text) AS passage
      FROM (
        SELECT passage.*, row_number() OVER (PARTITION BY session ORDER BY passage.number DESC) AS nth
        FROM turnwire_passages passage JOIN turnwire_sessions owner ON owner.number = session
        WHERE words @@ $1::tsquery AND tenant = $2 AND ($3::text IS NULL OR id = $3)
        ORDER BY passage.number DESC LIMIT $4
      ) AS match JOIN turnwire_sessions session ON session.number = match.session
      WHERE nth <= $5 ORDER BY match.number DESC`,
    [query, tenant, session ?? null, mostScanned, mostMatches],
  );
  const found = new FoundSessions<SessionRecord>(limit);
  for (const row of rows) found.add(row.id, row.passage, () => recordOf(row));
  return found.all;
}
