import type { PromptArgument } from './server-offers.ts';

/**
 * The values of a prompt's arguments as a user wrote them after its name: in order, or as `name=value`; white space within quotes stays. If
 * only one argument is missing, it gets the whole rest, so that a sentence needs no quotes.
 */
export function promptValues(written: string, known: readonly PromptArgument[]): Readonly<Record<string, string>> {
  const names = new Set(known.map(({ name }) => name));
  const values: Record<string, string> = {};
  const loose: { readonly text: string; readonly start: number }[] = [];
  for (const { text, raw, start } of wordsOf(written)) {
    const equals = raw.indexOf('=');
    const name = equals > 0 ? raw.slice(0, equals) : '';
    if (names.has(name)) values[name] = unquoted(raw.slice(equals + 1));
    else loose.push({ text, start });
  }
  const missing = known.filter(({ name }) => !Object.hasOwn(values, name));
  for (const [at, { name }] of missing.entries()) {
    const isLast = at === missing.length - 1;
    const rest = loose.slice(at);
    if (rest.length > 0) values[name] = isLast ? rest.map(({ text }) => text).join(' ') : (rest[0]?.text ?? '');
  }
  return values;
}

function* wordsOf(written: string): Generator<{ readonly text: string; readonly raw: string; readonly start: number }> {
  for (const match of written.matchAll(/(?:[^\s"']|"[^"]*"|'[^']*'|["'])+/gu))
    yield { text: unquoted(match[0]), raw: match[0], start: match.index };
}

function unquoted(word: string): string {
  return /^"[^"]*"$|^'[^']*'$/u.test(word) ? word.slice(1, -1) : word;
}
