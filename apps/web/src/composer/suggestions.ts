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
  readonly list: readonly Suggestion[];
}

const most = 8;

/** What the text before the cursor may become: a command at its beginning, or a file after an `@`. */
export function suggestionsFor(
  before: string,
  { commands, files }: { readonly commands: readonly AvailableCommand[]; readonly files: readonly string[] },
): Suggestions | undefined {
  const command = /^\/(\S*)$/.exec(before);
  if (command) {
    const list = commands
      .filter(({ name }) => name.toLowerCase().startsWith((command[1] ?? '').toLowerCase()))
      .map(({ name, description }) => ({ label: `/${name}`, description, text: `/${name} ` }));
    return list.length === 0 ? undefined : { from: 0, list: list.slice(0, most) };
  }
  const file = /(?:^|\s)@(\S*)$/.exec(before);
  if (!file) return undefined;
  const wanted = (file[1] ?? '').toLowerCase();
  const list = files
    .filter((path) => path.toLowerCase().includes(wanted))
    .toSorted((one, other) => placeIn(one, wanted) - placeIn(other, wanted) || one.length - other.length)
    .map((path) => ({ label: path, text: `@${path} ` }));
  return list.length === 0 ? undefined : { from: before.length - wanted.length - 1, list: list.slice(0, most) };
}

/** Names that begin with what was typed come before those that hold it elsewhere. */
function placeIn(path: string, wanted: string): number {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  return name.startsWith(wanted) ? 0 : name.includes(wanted) ? 1 : 2;
}
