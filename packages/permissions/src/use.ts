import { type Dirent, existsSync, readdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { realPath } from '@turnwire/machine';
import { type CommandTexts, commandTexts } from './command-texts.ts';
import { globPaths, type GlobMatches } from './glob-paths.ts';
import type { NamedPath } from './path-pattern.ts';
import type { Action } from './permissions.ts';
import { remembering } from './remembering.ts';
import { changesFiles, isContentless } from './risky-commands.ts';
import { type ShellCommand, type ShellLine, shellLine } from './shell-line.ts';
import type { ShellWord } from './shell-word.ts';
import { isServerTool, type ToolClass, toolClass } from './tool-name.ts';

/** A single effect of an action. */
export interface Use {
  readonly class: ToolClass;
  readonly path?: NamedPath;
  readonly url?: string;
  readonly command?: CommandUse;
  /** A word of a command that may be a file: only rules about certain files apply. */
  readonly isGuess?: boolean;
  /** It may or may not happen: a rule that denies asks instead. */
  readonly isPossible?: boolean;
}

/** A parsed command line. */
export interface CommandUse {
  readonly line: ShellLine;
  /** The folders it may run in: where it starts and the targets of `cd`. */
  readonly folders: readonly string[];
  /** The start folder as `cd` would name it, absolute and relative to the session's, if it is not the session's own. */
  readonly startsIn?: readonly string[];
  /** Everything it may run; computed on demand. */
  readonly texts: () => CommandTexts;
}

/** The effects of an action: those that must be allowed, and others that rules may ask about or deny; computed on demand. */
export interface Uses {
  readonly needed: readonly Use[];
  /** Files it may change, and other effects that are not only reading. */
  readonly changes: () => readonly Use[];
  readonly reads: () => readonly Use[];
  /** Files in the folders that commands name, which they may read recursively. */
  readonly inside: () => readonly Use[];
  /** Why its files are unclear, if they are: rules about files are then undecided. */
  readonly unclearFiles: () => string | undefined;
}

/** Most patterns of a line, counted once for each folder it may be in. With more of them its files are unclear. */
const mostPatterns = 20;

/** Most folders of a line before relative paths become unclear. */
const mostFolders = 16;

/** The action that was looked at last, until what runs now has ended: until then nothing here can have changed what its words mean. */
let latest: { readonly action: Action; readonly uses: Uses } | undefined;

/** Several may ask about one action at once: who judges it, and who proposes a rule about it. */
export function usesOf(action: Action): Uses {
  if (latest?.action === action) return latest.uses;
  const found = { action, uses: findUses(action) };
  latest = found;
  queueMicrotask(() => {
    if (latest === found) latest = undefined;
  });
  return found.uses;
}

function findUses(action: Action): Uses {
  const named = namingOnce();
  const paths = action.paths.map(named);
  const lines = linesOf(action).map((text) => lineUses(action, text, named));
  const classes = classesOf(action);
  const own = classes.filter((each) => each !== 'Bash' || lines.length === 0);
  const isOther = classes.includes('Other');
  const address: readonly Use[] = action.url === undefined ? [] : [{ class: 'WebFetch', url: action.url }];
  const reading = paths.map((path): Use => ({ class: 'Read', path, isGuess: !isOther }));
  return {
    needed: [
      ...own.flatMap((each) => usesOfClass(each, paths, action.url)),
      ...lines.map(({ use }) => use),
      ...(isOther || own.includes('WebFetch') ? [] : address),
    ],
    // A tool of which only the name is known may do anything with its paths.
    changes: once(() => [
      ...lines.flatMap((line) => line.changes()),
      ...(isOther ? [...paths.map((path): Use => ({ class: 'Edit', path })), ...address] : []),
    ]),
    reads: once(() => [
      ...lines.flatMap((line) => line.reads()),
      ...(isOther || action.command !== undefined ? reading : []),
    ]),
    inside: () => lines.flatMap((line) => line.inside()),
    unclearFiles: () => lines.map((line) => line.unclearFiles()).find((unclear) => unclear !== undefined),
  };
}

/** The command lines in an action, whoever runs them. */
function linesOf({ command, namedCommands = [] }: Action): readonly string[] {
  return command === undefined ? namedCommands : [command];
}

/** The name of an absolute path as given, with the links in it resolved. */
export const namedPath: (path: string) => NamedPath = namingWith(realPath);

/** For one judgement, which comes upon the same words for several reasons, most of them in the same folders. */
function namingOnce(): typeof namedPath {
  return remembering(namingWith(remembering(realPath)));
}

function namingWith(findReal: typeof realPath): (path: string) => NamedPath {
  return (path) => {
    const named = resolve(path);
    const real = findReal(path);
    const folder = real === undefined ? undefined : findReal(dirname(named));
    return { named, real, place: folder && join(folder, basename(named)) };
  };
}

/**
 * The classes by kind, and by name if that differs. For a server's tool the kind is not reliable, and neither is a shell call without a
 * command: its actual effect must be allowed in addition.
 */
function classesOf({ kind, tool, command }: Action): readonly ToolClass[] {
  const byKind = toolClass(kind) ?? 'Other';
  const byName = tool === undefined ? undefined : toolClass(tool);
  const said = [...new Set(byName === undefined ? [byKind] : byKind === 'Other' ? [byName] : [byKind, byName])];
  const isUnsaid = isServerTool(tool) || (command === undefined && said.includes('Bash'));
  return isUnsaid && !said.includes('Other') ? [...said, 'Other'] : said;
}

function usesOfClass(each: ToolClass, paths: readonly NamedPath[], url: string | undefined): readonly Use[] {
  if (each === 'WebFetch') return [{ class: each, ...(url !== undefined && { url }) }];
  const hasPaths = each === 'Read' || each === 'Search' || each === 'Edit' || each === 'Delete' || each === 'Move';
  return hasPaths && paths.length > 0 ? paths.map((path) => ({ class: each, path })) : [{ class: each }];
}

/** The effects of one command line. */
interface LineUses extends Omit<Uses, 'needed'> {
  readonly use: Use;
}

function lineUses(action: Action, text: string, named: Reach['named']): LineUses {
  const line = shellLine(text, action.shell);
  const start = action.cwd ?? action.roots[0];
  const folders = foldersOf(line, start);
  const looksUp = patternsIn(line) * folders.length <= mostPatterns;
  const matching = remembering((pattern: string) => folders.map((folder) => globPaths(folder, pattern)));
  const reach: Reach = { folders, matching: looksUp ? matching : () => [], named };
  const isAway = start !== undefined && !action.roots.some((root) => realPath(root) === realPath(start));
  const command: CommandUse = {
    line,
    folders,
    texts: once(() => commandTexts(line)),
    ...(isAway && { startsIn: [start, relative(action.roots[0] ?? '/', start)] }),
  };
  const contents = once(() => contentsOf(line, reach));
  return {
    use: { class: 'Bash', command },
    changes: once(() => filesWritten(line, reach)),
    reads: once(() => filesRead(line, reach)),
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
  const word = lookingCommands(line)
    .flatMap((command) => fileWords(command))
    // The content of /proc depends on the reader.
    .find(({ kind, value }) => kind === 'computed' || /(?:^|[=@:,])\/(?:proc|dev\/fd)\//.test(value));
  return word && `only the shell knows the value of ${word.text}`;
}

/** What the line may name without its being seen, since there is more of it than is checked. */
function uncheckedFile(line: ShellLine, { folders, matching }: Reach): string | undefined {
  if (folders.length >= mostFolders) return 'it changes the working directory too often';
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

function lookingCommands(line: ShellLine): readonly ShellCommand[] {
  return allLines(line).flatMap(({ commands }) =>
    commands.filter(({ words, script }) => {
      const name = words[0]?.value ?? '';
      return !script && (!isContentless(name) || changesFiles(name));
    }),
  );
}

/** The words that may be files. The message of a commit is not. */
function fileWords({ words }: ShellCommand): readonly ShellWord[] {
  const isCommit = words[0]?.value === 'git' && words.some(({ value }) => value === 'commit');
  return words
    .slice(1, mostWords)
    .filter((_, at) => !isCommit || !/^(?:-[a-z]*m|--message)$/.test(words[at]?.value ?? ''));
}

/** The contents of the folders that commands name, which they may read recursively. */
function contentsOf(line: ShellLine, reach: Reach): { readonly inside: readonly Use[]; readonly unclear?: string } {
  const named = lookingCommands(line)
    .filter(({ words }) => words[0]?.value !== 'git')
    .flatMap((command) => operands(command, reach));
  const folders = new Set(named.map(({ named: path }) => path).filter(isFolder));
  const files: string[] = [];
  for (const folder of folders)
    if (!addFiles(folder, files)) return { inside: [], unclear: `${folder} contains too many files to be checked` };
  return {
    inside: files.map((file): Use => ({ class: 'Read', path: reach.named(file), isGuess: true, isPossible: true })),
  };
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

/** A value that is computed on first use. */
function once<Value>(find: () => Value): () => Value {
  let found: { readonly value: Value } | undefined;
  return () => (found ??= { value: find() }).value;
}

function foldersOf(line: ShellLine, start: string | undefined): readonly string[] {
  const folders = new Set(start === undefined ? [] : [start]);
  for (const change of allLines(line).flatMap((each) => each.folders)) {
    for (const from of [...folders]) if (folders.size < mostFolders) folders.add(resolve(from, atHome(change)));
  }
  return [...folders];
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
  return path === '~' || path.startsWith('~/') ? homedir() + path.slice(1) : path;
}

/** Files that a line writes by redirection, and those named by commands known to change files. */
function filesWritten(line: ShellLine, reach: Reach): readonly Use[] {
  return allLines(line).flatMap(({ writes, commands }) => [
    ...writes.flatMap((path) => pathsIn(reach, path).map((each): Use => ({ class: 'Edit', path: each }))),
    ...commands
      .filter(({ words }) => changesFiles(words[0]?.value ?? ''))
      .flatMap((command) => operands(command, reach).map((path): Use => ({ class: 'Edit', path, isGuess: true }))),
  ]);
}

/** Files that a line reads by redirection, and all files that commands name, which they may read. */
function filesRead(line: ShellLine, reach: Reach): readonly Use[] {
  return allLines(line).flatMap(({ reads, commands }) => [
    ...reads.flatMap((path) => pathsIn(reach, path).map((each): Use => ({ class: 'Read', path: each }))),
    ...commands
      .flatMap((command) => operands(command, reach))
      .filter(({ named }) => existsSync(named))
      .flatMap((path) => withContents(path, reach))
      .map((path): Use => ({ class: 'Read', path, isGuess: true })),
  ]);
}

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
  return fileWords(command).flatMap(({ value, kind }) => {
    const all = placesIn(value);
    const found = kind === 'glob' ? all.flatMap((path) => matchesOf(path, reach)) : [];
    return [...all.flatMap((path) => pathsIn(reach, path)), ...found];
  });
}

/** The parts of a word that may be a file: `x`, `--option=x`, `-fx`, `name=x`, `@x`, `host:x`, `file:///x`. */
function placesIn(word: string): readonly string[] {
  const places = new Set([word]);
  const end = word.slice(-longestPath);
  for (const { index } of end.matchAll(/[=@:,]/g)) places.add(end.slice(index + 1));
  if (/^-[^-]/.test(word)) for (let at = 2; at < Math.min(word.length, mostLetters); at++) places.add(word.slice(at));
  if (word.startsWith('file://') && URL.canParse(word)) places.add(decodeURIComponent(new URL(word).pathname));
  return [...places].filter((place) => place !== '');
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
