import { type Dirent, readdirSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { isInside, nameMatcher } from '@turnwire/machine';
import { partsOf } from './command-parts.ts';
import { operands } from './file-words.ts';
import { gitContents } from './git-files.ts';
import { type FileUse, guessed, isFolder, openPath, pathsIn, type Reach } from './line-reach.ts';
import { changes, type FoundFiles, type PossibleCommand, possibleCommands } from './possible-commands.ts';
import type { NamedPath } from './path-pattern.ts';
import { searchedNames, searchesHere } from './search-options.ts';
import { isContentless } from './risky-commands.ts';
import type { ShellCommand, ShellLine } from './shell-line.ts';

/** The commands of a line that read or change the content of files. */
export function lookingCommands(line: ShellLine): readonly PossibleCommand[] {
  return possibleCommands(line).filter(
    ({ words, script }) => !script && (!isContentless(words[0]?.value ?? '') || changes(words)),
  );
}

/** A folder whose content a command may read or change, with the names of the files if only some are affected. */
interface Search {
  readonly folder: string;
  readonly found: FoundFiles | undefined;
  readonly isChange: boolean;
}

/** The contents of named folders, which commands may read or change recursively. */
export function contentsOf(
  line: ShellLine,
  reach: Reach,
): { readonly inside: readonly FileUse[]; readonly unclear?: string } {
  // Wrapped commands are checked as commands of their own.
  const commands = lookingCommands(line).filter((command) => !partsOf(command));
  const inside = commands.flatMap((command) => gitContents(command, reach)).map((path) => guessed('Read', path, false));
  const searches = new Map<string, Search>();
  for (const search of commands.flatMap((command) => searchesOf(command, reach)))
    searches.set(JSON.stringify([search.folder, search.found, search.isChange]), search);
  for (const search of searches.values()) {
    const files = filesIn(search, reach);
    if (!files) return { inside: [], unclear: `${search.folder} contains too many files to be checked` };
    inside.push(...files);
  }
  return { inside };
}

function filesIn({ folder, found, isChange }: Search, reach: Reach): readonly FileUse[] | undefined {
  const files: string[] = [];
  if (!addFiles(folder, files)) return undefined;
  const isMeant = found ? nameTest(folder, found) : () => true;
  const written = reach.written.filter(({ named }) => isInside(folder, named));
  const paths = [...files.map(reach.named), ...written].filter(({ named }) => isMeant(named));
  const names = found && !found.isCaseless ? found.names : ['*'];
  if (reach.isRefilled) paths.push(...names.map((name) => openPath(folder, `*${name}`)));
  return paths.flatMap((path) => [guessed('Read', path, false), ...(isChange ? [guessed('Edit', path, false)] : [])]);
}

/** A test for found files and files in found folders: a command that runs on a folder may read all of it. */
function nameTest(folder: string, { names, isCaseless, skipsHidden }: FoundFiles): (path: string) => boolean {
  const cased = (text: string): string => (isCaseless ? text.toLowerCase() : text);
  const matches = names.map((name) => nameMatcher(cased(name), { classes: true }));
  return (path) => {
    const below = relative(folder, path).split('/');
    if (skipsHidden && below.some((name) => name.startsWith('.'))) return false;
    return [basename(folder), ...below].some((each) => matches.some((isName) => isName(cased(each))));
  };
}

function isSearch({ words }: ShellCommand): boolean {
  return words[0]?.value === 'find' || words.some(({ text }) => text === '{}');
}

/** The found files that a command reads or changes. Undefined for a command that does not search for files, or if there are too many. */
export function foundPaths(command: PossibleCommand, reach: Reach): readonly NamedPath[] | undefined {
  if (!command.found || command.found.names.includes('*') || !isSearch(command)) return undefined;
  const files = searchesOf(command, reach).map((search) => filesIn(search, reach));
  return files.includes(undefined) ? undefined : files.flatMap((uses = []) => uses.map(({ path }) => path));
}

function searchesOf(command: PossibleCommand, reach: Reach): readonly Search[] {
  const { words, found } = command;
  const isChange = changes(words);
  const all = (folders: readonly string[], names?: FoundFiles): readonly Search[] =>
    folders.filter(isFolder).map((folder) => ({ folder, found: names, isChange }));
  if (found && isSearch(command)) {
    const given = found.folders.flatMap(({ value }) => pathsIn(reach, value).map((path) => path.named));
    return all(given.length > 0 ? given : reach.folders, found);
  }
  const folders = searchesHere(command) ? reach.folders : namedFolders(command, reach);
  return all(folders, searchedNames(command));
}

/** The folders that a command names. Git only uses tracked files of a folder, unless an option makes it search the disk. */
function namedFolders(command: PossibleCommand, reach: Reach): readonly string[] {
  const named = operands(command, reach).map((path) => path.named);
  if (command.words[0]?.value !== 'git') return named;
  const folders = named.filter(isFolder);
  const isComparison = command.words.some(({ value }) => value === 'diff') && folders.length > 1;
  return isComparison || command.words.some(({ value }) => value === '--no-index') ? folders : [];
}

/** Adds all files below a folder; false if there are too many. Links are not followed. */
function addFiles(folder: string, files: string[]): boolean {
  for (const entry of entriesOf(folder)) {
    const path = join(folder, entry.name);
    if (files.push(path) > mostFiles) return false;
    if (entry.isDirectory() && !addFiles(path, files)) return false;
  }
  return true;
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** The maximum number of files that are checked in the folders of a line. */
const mostFiles = 2_000;
