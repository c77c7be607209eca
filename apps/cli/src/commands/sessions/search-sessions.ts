import { ago } from '@turnwire/client/view';
import { cursorText, type FoundSession, queryWords, type SessionRecord, snippetOf } from '@turnwire/runtime';
import { exitCodes } from '../../exit-codes.ts';
import { CommandError, warn } from '../../failure.ts';
import type { GlobalOptions } from '../../options.ts';
import { NamedSessions } from '../../store/named-sessions.ts';
import { cleanJson, cleanLine } from '../../terminal/clean-text.ts';
import { stdout } from '../../terminal/output.ts';

/** The arguments of `sessions search`. */
export interface SearchArguments {
  readonly words: readonly string[];
  /** The maximum number of sessions. */
  readonly limit: number;
}

/** Prints the stored sessions with texts that match, each with the found texts. Resolves with the exit code. */
export async function searchSessions({ words, limit }: SearchArguments, options: GlobalOptions): Promise<number> {
  const text = words.join(' ');
  if (limit < 1) throw new CommandError('--limit is a number from 1 on', exitCodes.usage);
  if (queryWords(text).length === 0)
    throw new CommandError(`there is no letter and no digit to search for in "${text}"`, exitCodes.usage);
  await using sessions = new NamedSessions();
  const found = await sessions.search(text, limit);
  if (options.format === 'json') stdout.printJson(cleanJson(JSON.stringify(found.map((each) => jsonOf(each, text)))));
  else if (options.format === 'quiet') for (const { record } of found) stdout.printLine(record.id);
  else for (const line of found.flatMap((each) => linesOf(each, text))) stdout.printLine(line);
  if (found.length === 0) warn(`no session has a text with all of these words: ${text}`);
  return exitCodes.ok;
}

function jsonOf({ record, passages }: FoundSession<SessionRecord>, query: string): object {
  const { id, agent, cwd, title, updatedAt } = record;
  const matches = passages.map(({ kind, epoch, sequence, at, text }) => {
    const { text: snippet, marks } = snippetOf(text, queryWords(query));
    return { kind, cursor: cursorText({ epoch, sequence }), at: new Date(at).toISOString(), text: snippet, marks };
  });
  return { id, agent, cwd, title, updatedAt: new Date(updatedAt).toISOString(), matches };
}

function linesOf({ record, passages }: FoundSession<SessionRecord>, query: string): readonly string[] {
  const now = Date.now();
  const { id, agent, cwd, title, updatedAt } = record;
  const facts = [id.slice(0, 8), ago(now - updatedAt, now), agent, cwd, title ?? '-'];
  const matches = passages.filter(({ kind }) => kind !== 'title');
  return [
    facts.map((fact) => cleanLine(fact)).join('  '),
    ...matches.map(({ kind, text }) => `  ${kind}: ${cleanLine(snippetOf(text, queryWords(query)).text)}`),
  ];
}
