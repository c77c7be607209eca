import type { AvailableCommand } from '@turnwire/protocol';

/** A replacement for the word before the cursor. */
export interface Suggestion {
  readonly label: string;
  readonly description?: string;
  readonly text: string;
}

/** The suggestions for a text and the position of the word that they replace. */
export interface Suggestions {
  readonly from: number;
  /** Best match first. */
  readonly list: readonly Suggestion[];
  /** The number of all matches, including those not in the list. */
  readonly count: number;
}

/** The maximum that is drawn: typing another letter is faster than scrolling further. */
const mostListed = 100;

/** Completions of the text before the cursor: a command at its start, or a file after an `@`. */
export function suggestionsFor(
  before: string,
  { commands, files }: { readonly commands: readonly AvailableCommand[]; readonly files: readonly string[] },
): Suggestions | undefined {
  const command = /^\/(\S*)$/.exec(before)?.[1]?.toLowerCase();
  if (command !== undefined) {
    const found = ranked(commands, ({ name }) => rankOf(name.toLowerCase(), command));
    return listed(
      0,
      found.map(({ name, description }) => ({ label: `/${name}`, description, text: `/${name} ` })),
    );
  }
  const file = /(?:^|\s)@(\S*)$/.exec(before)?.[1]?.toLowerCase();
  if (file === undefined) return undefined;
  const found = ranked(files, (path) => rankOfPath(path.toLowerCase(), file));
  return listed(
    before.length - file.length - 1,
    found.map((path) => ({ label: path, text: `@${path} ` })),
  );
}

function listed(from: number, found: readonly Suggestion[]): Suggestions | undefined {
  return found.length === 0 ? undefined : { from, list: found.slice(0, mostListed), count: found.length };
}

/** The items with a rank, lowest first. */
function ranked<Item>(items: readonly Item[], rank: (item: Item) => number | undefined): readonly Item[] {
  return items
    .flatMap((item) => {
      const order = rank(item);
      return order === undefined ? [] : [{ item, order }];
    })
    .toSorted((one, other) => one.order - other.order)
    .map(({ item }) => item);
}

/**
 * Ranks a path: names that start with the typed text come first, then names that contain it, then names with its letters in order. Shorter
 * paths win ties.
 */
function rankOfPath(path: string, query: string): number | undefined {
  const inPath = rankOf(path, query);
  if (inPath === undefined) return undefined;
  const inName = rankOf(path.slice(path.lastIndexOf('/') + 1), query) ?? 3;
  return Math.min(inPath < 2 ? 2 : 4, inName < 2 ? inName : inName + 1) + path.length / 100_000;
}

/** 0 if the text starts with the typed text, 1 if it contains it, 2 if it contains its letters in order and the first one starts a word. */
function rankOf(text: string, query: string): number | undefined {
  const position = text.indexOf(query);
  if (position >= 0) return Math.min(position, 1);
  const first = query.charAt(0);
  let at = text.indexOf(first);
  while (at > 0 && /[\p{L}\p{N}]/u.test(text.charAt(at - 1))) at = text.indexOf(first, at + 1);
  for (const letter of query.slice(1)) at = at < 0 ? at : text.indexOf(letter, at + 1);
  return at < 0 ? undefined : 2;
}
