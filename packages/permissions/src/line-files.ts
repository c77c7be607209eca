import { type Dirent, existsSync, readdirSync, statSync } from 'node:fs';
import { basename, isAbsolute, join, resolve } from 'node:path';
import { homeFolder, nameMatcher } from '@turnwire/machine';
import { globPaths, type GlobMatches } from './glob-paths.ts';
import { namedPath } from './named-path.ts';
import { once } from './once.ts';
import type { NamedPath } from './path-pattern.ts';
import {
  changes,
  hasWordsFromElsewhere,
  mayRunOthers,
  type PossibleCommand,
  possibleCommands,
} from './possible-commands.ts';
import { remembering } from './remembering.ts';
import { changesFiles, isContentless, isInterpreter } from './risky-commands.ts';
import type { ShellCommand, ShellLine } from './shell-line.ts';
import { anyText, type ShellWord } from './shell-word.ts';

/** A file that a command line names. */
interface FileUse {
  readonly class: 'Read' | 'Edit';
  readonly path: NamedPath;
  /** A word of a command that may be a file: only rules about certain files apply. */
  readonly isGuess?: boolean;
  /** It may or may not happen: a rule that denies asks instead. */
  readonly isPossible?: boolean;
}

/** The files of a command line; all but its folders are looked up on demand. */
export interface LineFiles {
  /** The folders it may run in: where it starts and the targets of `cd`. */
  readonly folders: readonly string[];
  readonly changes: () => readonly FileUse[];
  readonly reads: () => readonly FileUse[];
  /** What is in folders that commands name, which they may read recursively. */
  readonly inside: () => readonly FileUse[];
  /** Why they are unclear, if they are. */
  readonly unclearFiles: () => string | undefined;
}

/** Most patterns of a line, counted once for each folder it may be in. With more of them its files are unclear. */
const mostPatterns = 20;

/** Most folders of a line before relative paths become unclear. */
const mostFolders = 16;

/** Looks for the files of a line that starts in a folder. */
export function lineFiles(
  line: ShellLine,
  { start, named }: { readonly start: string | undefined; readonly named: typeof namedPath },
): LineFiles {
  const folders = foldersOf(line, start);
  const reached = [...new Set([...folders, ...folders.flatMap((folder) => optionFolders(line, folder))])];
  const looksUp = patternsIn(line) * reached.length <= mostPatterns;
  const matching = remembering((pattern: string) => reached.map((folder) => globPaths(folder, pattern)));
  const reach: Reach = { folders: reached, matching: looksUp ? matching : () => [], named };
  const contents = once(() => contentsOf(line, reach));
  return {
    folders,
    changes: once(() => [...filesWritten(line, reach), ...hiddenFiles(line, reach, 'Edit')]),
    reads: once(() => [...filesRead(line, reach), ...hiddenFiles(line, reach, 'Read')]),
    inside: () => contents().inside,
    unclearFiles: once(() =>
      looksUp
        ? (computedFile(line) ?? uncheckedFile(line, reach) ?? contents().unclear)
        : 'it contains too many file patterns to be looked up',
    ),
  };
}

/** The first word known only to the shell, of a command that may read files. */
function computedFile(line: ShellLine): string | undefined {
  const looking = lookingCommands(line);
  const fed = looking.find((command) => hasWordsFromElsewhere(command));
  if (fed) return `the words of ${fed.words[0]?.text ?? 'a command'} come from elsewhere`;
  const word = looking
    .flatMap((command) => fileWords(command).filter(({ text }) => text !== '{}' || command.found === undefined))
    // The content of /proc depends on the reader.
    .find(
      ({ kind, value }) =>
        kind === 'computed' || /(?:^|[=@:,])\/(?:proc|dev\/fd)\//.test(value) || /^file:.*[[{*?]/i.test(value),
    );
  return word && `only the shell knows the value of ${word.text}`;
}

/** What the line may name without its being seen, since there is more of it than is checked. */
function uncheckedFile(line: ShellLine, { folders, matching }: Reach): string | undefined {
  if (folders.length >= mostFolders) return 'it changes the working directory too often';
  if (hiddenWords(line).length > mostWords) return `a text that it may run has more than ${mostWords} words`;
  for (const command of lookingCommands(line)) {
    if (command.words.length > mostWords) return `one of its commands has more than ${mostWords} words`;
    const words = fileWords(command);
    const cluster = words.find(({ value }) => hidesInOptions(value));
    if (cluster) return `${cluster.text.slice(0, 20)}… has too many option letters to be checked`;
    const patterns = words.filter(({ kind }) => kind === 'glob').flatMap(({ value }) => placesIn(value));
    const wide = patterns.find((pattern) => matching(atHome(pattern)).some(({ isWhole }) => !isWhole));
    if (wide !== undefined) return `too many files match ${wide} to be checked`;
  }
  return undefined;
}

function lookingCommands(line: ShellLine): readonly PossibleCommand[] {
  return possibleCommands(line).filter(
    ({ words, script }) => !script && (!isContentless(words[0]?.value ?? '') || changes(words)),
  );
}

/** The words that may be files. The message of a commit is not. */
function fileWords({ words }: ShellCommand): readonly ShellWord[] {
  const isCommit = words[0]?.value === 'git' && words.some(({ value }) => value === 'commit');
  const pattern = searchPattern(words);
  return (
    words
      .slice(1, mostWords)
      // What `<(…)` stands for is a pipe; the commands in it are looked at by themselves.
      .filter((word) => word !== pattern && !(word.text.startsWith('<(') && word.becomes === anyText))
      .filter((_, at) => !isCommit || !/^(?:-[a-z]*m|--message)$/.test(words[at]?.value ?? ''))
  );
}

/** What `grep` looks for, if options cannot say so: `grep -c . package.json` does not name a folder. */
function searchPattern([name, ...rest]: readonly ShellWord[]): ShellWord | undefined {
  if (!/^[ef]?grep$/.test(name?.value ?? '')) return undefined;
  const first = rest.findIndex(({ value }) => !value.startsWith('-'));
  const isSaid = rest.every(({ value, kind }) => kind === 'literal' && !/^(?:--|-[a-zA-Z]*[ef])/.test(value));
  return isSaid && rest.length > first + 1 ? rest[first] : undefined;
}

/** The contents of the folders that commands name, which they may read or change recursively. */
function contentsOf(line: ShellLine, reach: Reach): { readonly inside: readonly FileUse[]; readonly unclear?: string } {
  // Each folder once, with whether something may change what is in it.
  const folders = new Map<string, boolean>();
  for (const command of lookingCommands(line).filter(({ words }) => words[0]?.value !== 'git'))
    for (const { folder, name } of searched(command, reach)) {
      const key = JSON.stringify([folder, name]);
      folders.set(key, folders.get(key) === true || changes(command.words));
    }
  const inside: FileUse[] = [];
  const files: string[] = [];
  for (const [key, isChanged] of folders) {
    const [folder, name] = JSON.parse(key) as [folder: string, name: string | null];
    const before = files.length;
    if (!addFiles(folder, files)) return { inside: [], unclear: `${folder} contains too many files to be checked` };
    const isMeant = name === null ? () => true : nameMatcher(name, { classes: true });
    const found = files.slice(before).filter((path) => isMeant(basename(path)));
    for (const path of found.map(reach.named)) {
      const use = { path, isGuess: true, isPossible: true };
      inside.push({ class: 'Read', ...use });
      if (isChanged) inside.push({ class: 'Edit', ...use });
    }
  }
  return { inside };
}

/** The folders whose content a command may read or change, with a pattern for the names of files if it only concerns those. */
function searched(
  command: PossibleCommand,
  reach: Reach,
): readonly { readonly folder: string; readonly name: string | null }[] {
  const { found } = command;
  const isExecuted = found !== undefined && command.words.some(({ text }) => text === '{}');
  const named = operands(command, reach).map((path) => path.named);
  const given = found?.folders.flatMap(({ value }) => pathsIn(reach, value).map((path) => path.named)) ?? [];
  const folders = isExecuted
    ? given.length > 0
      ? given
      : reach.folders
    : searchesHere(command)
      ? reach.folders
      : named;
  return folders.filter(isFolder).map((folder) => ({ folder, name: isExecuted ? found.name : null }));
}

/** Whether a search without a folder begins in the working directory, and looks into files or changes them. */
function searchesHere({ words: [program, ...rest] }: ShellCommand): boolean {
  const name = program?.value ?? '';
  const options = rest.filter(({ value }) => value.startsWith('-'));
  if (name === 'find') return rest.length === 0 || options[0] === rest[0];
  const isRecursive = options.some(({ value }) => /^(?:-[a-zA-Z]*[rR]|--(?:dereference-)?recursive$)/.test(value));
  const showsHidden = options.some(({ value }) => /^(?:--hidden|-\.|-uu+|--unrestricted)$/.test(value));
  const isSearch = (/^[ef]?grep$/.test(name) && isRecursive) || (name === 'rg' && showsHidden);
  return isSearch && rest.length - options.length < 2;
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

/** Most files that are checked in the folders a line names. */
const mostFiles = 2_000;

/** Where the paths of a line may lead. */
interface Reach {
  readonly folders: readonly string[];
  /** The files that match a pattern, in each of the folders. */
  readonly matching: (pattern: string) => readonly GlobMatches[];
  readonly named: typeof namedPath;
}

function patternsIn(line: ShellLine): number {
  const words = allLines(line).flatMap(({ commands }) => commands.flatMap((command) => command.words));
  return words.filter(({ kind }) => kind === 'glob').length;
}

function foldersOf(line: ShellLine, start: string | undefined): readonly string[] {
  const folders = new Set(start === undefined ? [] : [start]);
  const inTexts = possibleCommands(line).filter(({ isSure, words }) => !isSure && words[0]?.value === 'cd');
  const changes = [
    ...allLines(line).flatMap((each) => each.folders),
    ...inTexts.flatMap(({ words }) => words.slice(1, 2).map(({ value }) => value)),
  ];
  for (const change of changes) {
    for (const from of [...folders]) if (folders.size < mostFolders) folders.add(resolve(from, atHome(change)));
  }
  return [...folders];
}

/** Folders that commands of a line change to before they do anything: `git -C x`, `env --chdir=x`. */
function optionFolders(line: ShellLine, from: string): readonly string[] {
  const named = possibleCommands(line)
    .map(({ words }) => words)
    .flatMap((all) =>
      all.flatMap(({ value }, at) => {
        const [, option, folder = ''] = /^(-C|--(?:chdir|directory|cwd)(?==|$))=?(.*)$/s.exec(value) ?? [];
        return option === undefined ? [] : [folder === '' ? (all[at + 1]?.value ?? '') : folder];
      }),
    );
  return named.slice(0, mostFolders).map((folder) => resolve(from, atHome(folder)));
}

/** A line and the scripts in it. */
function allLines(line: ShellLine): readonly ShellLine[] {
  return [line, ...line.commands.flatMap(({ script }) => (script ? allLines(script) : []))];
}

/** The possible locations of a path in a line; empty if unknown. */
export function pathsIn(
  { folders, named = namedPath }: Pick<Reach, 'folders'> & Partial<Pick<Reach, 'named'>>,
  path: string,
): readonly NamedPath[] {
  return folders.map((folder) => named(whole(folder, atHome(path))));
}

/** Not normalised: the target of `..` depends on links. */
function whole(folder: string, path: string): string {
  return isAbsolute(path) ? path : `${folder}/${path}`;
}

function atHome(path: string): string {
  return path === '~' || path.startsWith('~/') ? homeFolder() + path.slice(1) : path;
}

/** Files that a line writes by redirection, and those named by commands that change files, or may. */
function filesWritten(line: ShellLine, reach: Reach): readonly FileUse[] {
  const redirected = allLines(line).flatMap(({ writes }) => writes.flatMap((path) => pathsIn(reach, path)));
  return [
    ...redirected.map((path): FileUse => ({ class: 'Edit', path })),
    ...possibleCommands(line).flatMap((command) => filesChanged(command, reach)),
  ];
}

function filesChanged(command: PossibleCommand, reach: Reach): readonly FileUse[] {
  const { words } = command;
  const isSure = command.isSure && changesFiles(words[0]?.value ?? '');
  const named = changes(words)
    ? operands(command, reach).flatMap((path) => withContents(path, reach))
    : outputsOf(words).flatMap((path) => pathsIn(reach, path));
  return named.map((path): FileUse => ({ class: 'Edit', path, isGuess: true, ...(!isSure && { isPossible: true }) }));
}

/** The values of options by which most programs are told where to write: `-o x`, `-ox`, `--output=x`. */
function outputsOf(words: readonly ShellWord[]): readonly string[] {
  return words.flatMap(({ value }, at) => {
    const [option, attached] = /^(?:-[oO]|--out[\w-]*=?)(.*)$/s.exec(value) ?? [];
    return option === undefined ? [] : [attached || (words[at + 1]?.value ?? '')];
  });
}

/** Files that a line reads by redirection, and all files that commands name, which they may read. */
function filesRead(line: ShellLine, reach: Reach): readonly FileUse[] {
  const redirected = allLines(line).flatMap(({ reads }) => reads.flatMap((path) => pathsIn(reach, path)));
  const named = possibleCommands(line).flatMap((command) => {
    // A file that is not there yet may be made before the command runs, also by the line itself.
    const isRead = !isContentless(command.words[0]?.value ?? '');
    const files = operands(command, reach).filter(({ named: path }) => isRead || existsSync(path));
    return files.flatMap((path) => withContents(path, reach)).map((path) => ({ path, isSure: command.isSure }));
  });
  return [
    ...redirected.map((path): FileUse => ({ class: 'Read', path })),
    ...named.map(({ path, isSure }): FileUse => ({
      class: 'Read',
      path,
      isGuess: true,
      ...(!isSure && { isPossible: true }),
    })),
  ];
}

/** Files in texts that a command may run, such as `watch 'cat x'` and `python3 -c 'open("x")'`. */
function hiddenFiles(line: ShellLine, reach: Reach, kind: FileUse['class']): readonly FileUse[] {
  return hiddenWords(line)
    .flatMap((word) => pathsIn(reach, word))
    .map((path): FileUse => ({ class: kind, path, isGuess: true, isPossible: true }));
}

/** The words of such texts. What is one word by itself is looked at where words are. */
function hiddenWords(line: ShellLine): readonly string[] {
  const texts = allLines(line).flatMap(({ commands }) =>
    commands
      .filter((command) => !command.script && (mayRunOthers(command) || isInterpreter(command.words[0]?.value ?? '')))
      .flatMap(({ words }) => words.slice(1).map(({ value }) => value)),
  );
  const words = texts.flatMap((text) => [
    ...(betweenWords.test(text) ? text.split(betweenWords) : []),
    // `r`, `R`, `w` and `W` of sed, and the number of a line before them.
    ...Array.from(text.matchAll(/[rRwW]\s*([^\s;}]+)/g), ([, file = '']) => file),
  ]);
  return [...new Set(words)].filter((word) => word !== '' && word.length <= longestPath);
}

const betweenWords = /[\s;&|()<>"'`$,=]+/;

/** A folder stands for all its contents: a rule about those matches any file inside. */
function withContents(path: NamedPath, { named }: Reach): readonly NamedPath[] {
  return isFolder(path.named) ? [path, named(join(path.named, anyFile))] : [path];
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false;
  }
}

const anyFile = 'any file';

/** Words that may be files; for a pattern, all files it matches. */
function operands(command: ShellCommand, reach: Reach): readonly NamedPath[] {
  const isGit = command.words[0]?.value === 'git';
  return fileWords(command).flatMap(({ value, kind }) => {
    const all = placesIn(value);
    // git reads patterns in quotes by itself.
    const found =
      kind === 'glob' || (isGit && /[*?[]/.test(value)) ? all.flatMap((path) => matchesOf(path, reach)) : [];
    return [...all.flatMap((path) => pathsIn(reach, path)), ...found];
  });
}

/** The parts of a word that may be a file: `x`, `--option=x`, `-fx`, `name=x`, `@x`, `host:x`, `x:/in/there`, `file:///x`. */
function placesIn(word: string): readonly string[] {
  const places = new Set([word]);
  const end = word.slice(-longestPath);
  for (const { index } of end.matchAll(/[=@:,]/g)) places.add(end.slice(index + 1));
  const volume = /^[^:]+(?=:)/.exec(word)?.[0];
  if (volume !== undefined) places.add(volume);
  if (/^-[^-]/.test(word)) for (let at = 2; at < Math.min(word.length, mostLetters); at++) places.add(word.slice(at));
  for (const path of pathsInAddress(word)) places.add(path);
  return [...places].filter((place) => place !== '');
}

/** The path in an address such as `file:///x`, `FILE:/x` or `file://host/%2eenv`, as programs read it. */
function pathsInAddress(word: string): readonly string[] {
  const [, path] = /file:(?:\/\/[^/]*)?(\/.*)$/is.exec(word) ?? [];
  if (path === undefined) return [];
  try {
    return [path, decodeURIComponent(path)];
  } catch {
    return [path];
  }
}

/** No system opens longer ones. */
const longestPath = 4_096;
/** Most option letters in one word before a value. */
const mostLetters = 40;

/** Whether a file may begin behind more option letters than are checked. */
function hidesInOptions(word: string): boolean {
  return /^-[^-]/.test(word) && word.length > mostLetters && !/[/=]/.test(word.slice(0, mostLetters));
}

function matchesOf(pattern: string, { matching, named }: Reach): readonly NamedPath[] {
  return matching(atHome(pattern)).flatMap(({ paths }) => paths.map(named));
}

/** Most words of a command that are checked as files. With more of them its files are unclear. */
const mostWords = 1_000;
