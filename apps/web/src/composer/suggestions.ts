import type { AvailableCommand } from '@turnwire/protocol';

/** What can be put in the place of the word before the cursor. */
export interface Suggestion {
  readonly label: string;
  readonly description?: string;
  /** The text that replaces the word. */
  readonly text: string;
}

/** Suggestions for a text, and where the word begins that they replace. */
export interface Suggestions {
  readonly from: number;
  /** The best first. */
  readonly list: readonly Suggestion[];
  /** How many there are, also those that are not in the list. */
  readonly count: number;
}

/** More are not drawn: more letters are faster than scrolling. */
const mostListed = 100;

/** What the text before the cursor may become: a command at its beginning, or a file after an `@`. */
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

/** Those that have a rank, the smallest first. */
function ranked<Item>(items: readonly Item[], rank: (item: Item) => number | undefined): readonly Item[] {
  return items
    .flatMap((item) => {
      const place = rank(item);
      return place === undefined ? [] : [{ item, place }];
    })
    .toSorted((one, other) => one.place - other.place)
    .map(({ item }) => item);
}

/** Names that begin with what was typed come first, then what contains it, then what has its letters in this order; of equals the short ones. */
function rankOfPath(path: string, wanted: string): number | undefined {
  const inPath = rankOf(path, wanted);
  if (inPath === undefined) return undefined;
  const inName = rankOf(path.slice(path.lastIndexOf('/') + 1), wanted) ?? 3;
  return Math.min(inPath < 2 ? 2 : 4, inName < 2 ? inName : inName + 1) + path.length / 100_000;
}

/** 0: it begins with what was typed, 1: it contains it, 2: it has its letters in this order, the first at the beginning of a word. */
function rankOf(text: string, wanted: string): number | undefined {
  const place = text.indexOf(wanted);
  if (place >= 0) return Math.min(place, 1);
  const first = wanted.charAt(0);
  let at = text.indexOf(first);
  while (at > 0 && /[\p{L}\p{N}]/u.test(text.charAt(at - 1))) at = text.indexOf(first, at + 1);
  for (const letter of wanted.slice(1)) at = at < 0 ? at : text.indexOf(letter, at + 1);
  return at < 0 ? undefined : 2;
}
