import type { GatewayMethods } from '@turnwire/client/gateway';
import { invalidParams, type TextMatch } from '@turnwire/protocol';
import { cursorText, type Passage, queryWords, snippetOf } from '@turnwire/runtime';
import type { ClientState } from './client-state.ts';
import { listedSession } from './listed-session.ts';

type Search = GatewayMethods['_turnwire/search'];

/** The maximum length of a query, in UTF-16 units. */
const longestQuery = 1_000;
const defaultLimit = 20;
const mostSessions = 50;

/** Answers `_turnwire/search`. */
export async function search({ sessions, owner }: ClientState, params: unknown): Promise<Search['result']> {
  const { text, limit = defaultLimit } = (params ?? {}) as Partial<Search['params']>;
  if (typeof text !== 'string' || text.length > longestQuery)
    throw invalidParams(`_turnwire/search: { text } is needed, with up to ${longestQuery} characters`);
  if (!(Number.isInteger(limit) && limit >= 1 && limit <= mostSessions))
    throw invalidParams(`_turnwire/search: limit is a whole number from 1 to ${mostSessions}`);
  const found = await sessions.search({ text, limit }, owner);
  const words = queryWords(text);
  return {
    sessions: found.map(({ record, passages }) => ({
      session: listedSession(record, sessions.activityOf(record.id)),
      matches: passages.map((passage) => matchOf(passage, words)),
    })),
  };
}

function matchOf({ kind, epoch, sequence, at, text }: Passage, words: readonly string[]): TextMatch {
  return { kind, cursor: cursorText({ epoch, sequence }), at, ...snippetOf(text, words) };
}
