import { existsSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { type CommandTexts, commandTexts } from './command-texts.ts';
import { globPaths } from './glob-paths.ts';
import type { NamedPath } from './path-pattern.ts';
import type { Action } from './permissions.ts';
import { realPath } from './real-path.ts';
import { type ShellCommand, type ShellLine, shellLine } from './shell-line.ts';
import { type ToolClass, toolClass } from './tool-name.ts';

/** One thing an action does. */
export interface Use {
  readonly class: ToolClass;
  readonly path?: NamedPath;
  readonly url?: string;
  readonly command?: CommandUse;
  /** A word of a command that may be a file: only rules about certain files count. */
  readonly isGuess?: boolean;
}

/** A command line, read. */
export interface CommandUse {
  readonly line: ShellLine;
  /** The folders it may be in: where it starts and where it goes. */
  readonly folders: readonly string[];
  /** All it may run; found when a rule first asks. */
  readonly texts: () => CommandTexts;
}

/** All an action does: what has to be allowed, and what else a rule may ask about or deny; found when it is first asked for. */
export interface Uses {
  readonly needed: readonly Use[];
  /** Files it may change, and everything else that is not only read. */
  readonly changes: () => readonly Use[];
  readonly reads: () => readonly Use[];
  /** Why it is not known which files it names, if so: rules about files cannot tell. */
  readonly unclearFiles?: string;
}

/** Patterns a line may hold, counted once for each folder it may be in. With more of them it is not clear which files it names. */
const mostPatterns = 20;

/** Folders a line may go to before nothing can be told about relative paths. */
const mostFolders = 16;

export function usesOf(action: Action): Uses {
  const paths = action.paths.map(namedPath);
  if (action.command !== undefined) return commandUses(action, action.command, paths);
  const needed = classesOf(action).flatMap((each) => usesOfClass(each, paths, action.url));
  if (needed.every((use) => use.class !== 'Other')) return { needed, changes: none, reads: none };
  const fetched = action.url === undefined ? [] : [{ class: 'WebFetch', url: action.url } as const];
  return {
    needed,
    changes: () => [...paths.map((path) => ({ class: 'Edit', path }) as const), ...fetched],
    reads: () => paths.map((path) => ({ class: 'Read', path }) as const),
  };
}

const none = (): readonly Use[] => [];

/** `path`: absolute, as it was given. */
export function namedPath(path: string): NamedPath {
  const named = resolve(path);
  const real = realPath(path);
  const folder = real === undefined ? undefined : realPath(dirname(named));
  return { named, real, place: folder && join(folder, basename(named)) };
}

/** What the kind says, and what the name says where that is something else. */
function classesOf({ kind, tool }: Action): readonly ToolClass[] {
  const byKind = toolClass(kind) ?? 'Other';
  const byName = tool === undefined ? undefined : toolClass(tool);
  if (byName === undefined || byName === byKind) return [byKind];
  return byKind === 'Other' ? [byName] : [byKind, byName];
}

function usesOfClass(each: ToolClass, paths: readonly NamedPath[], url: string | undefined): readonly Use[] {
  if (each === 'WebFetch') return [{ class: each, ...(url !== undefined && { url }) }];
  const hasPaths = each === 'Read' || each === 'Search' || each === 'Edit' || each === 'Delete' || each === 'Move';
  return hasPaths && paths.length > 0 ? paths.map((path) => ({ class: each, path })) : [{ class: each }];
}

function commandUses(action: Action, text: string, paths: readonly NamedPath[]): Uses {
  const line = shellLine(text);
  const folders = foldersOf(line, action.cwd ?? action.roots[0]);
  const looksUp = patternsIn(line) * folders.length <= mostPatterns;
  const reach: Reach = { folders, looksUp };
  const command: CommandUse = { line, folders, texts: once(() => commandTexts(line)) };
  const byKind = toolClass(action.kind) ?? 'Other';
  const touched = byKind === 'Bash' ? [] : paths.map((path): Use => ({ class: byKind, path }));
  return {
    needed: [{ class: 'Bash', command }],
    changes: once(() => [...filesWritten(line, reach), ...touched]),
    reads: once(() => filesRead(line, reach)),
    ...(!looksUp && { unclearFiles: 'it holds more patterns for files than are looked up' }),
  };
}

/** Where the words of a line may lead. */
interface Reach {
  readonly folders: readonly string[];
  /** Whether the files of patterns are looked up. */
  readonly looksUp: boolean;
}

function patternsIn(line: ShellLine): number {
  const words = allLines(line).flatMap(({ commands }) => commands.flatMap((command) => command.words));
  return words.filter(({ kind }) => kind === 'glob').length;
}

/** A value that is found when it is first asked for. */
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

/** Where a path in a line may lead; nowhere if that cannot be told. */
export function pathsIn(folders: readonly string[], path: string): readonly NamedPath[] {
  return folders.map((folder) => namedPath(whole(folder, atHome(path))));
}

/** Not cleaned up: what `..` leads to depends on links. */
function whole(folder: string, path: string): string {
  return isAbsolute(path) ? path : `${folder}/${path}`;
}

function atHome(path: string): string {
  return path === '~' || path.startsWith('~/') ? homedir() + path.slice(1) : path;
}

/** What a line writes by redirection, and what the commands that are known to change files name. */
function filesWritten(line: ShellLine, reach: Reach): readonly Use[] {
  const { folders } = reach;
  return allLines(line).flatMap(({ writes, commands }) => [
    ...writes.flatMap((path) => pathsIn(folders, path).map((each): Use => ({ class: 'Edit', path: each }))),
    ...commands
      .filter(({ words }) => changing.test(words[0]?.value ?? ''))
      .flatMap((command) => operands(command, reach).map((path): Use => ({ class: 'Edit', path, isGuess: true }))),
  ]);
}

/** What a line reads by redirection, and every file a command names: it may read it. */
function filesRead(line: ShellLine, reach: Reach): readonly Use[] {
  const { folders } = reach;
  return allLines(line).flatMap(({ reads, commands }) => [
    ...reads.flatMap((path) => pathsIn(folders, path).map((each): Use => ({ class: 'Read', path: each }))),
    ...commands
      .flatMap((command) => operands(command, reach))
      .filter(({ named }) => existsSync(named))
      .flatMap(withContents)
      .map((path): Use => ({ class: 'Read', path, isGuess: true })),
  ]);
}

const changing = /^(?:chmod|chown|cp|dd|install|ln|mkdir|mv|patch|rm|rmdir|rsync|sed|shred|tee|touch|truncate|unlink)$/;

/** Who names a folder may mean all that is in it: a rule about that is met by any file there. */
function withContents(path: NamedPath): readonly NamedPath[] {
  const isFolder = statSync(path.named, { throwIfNoEntry: false })?.isDirectory() === true;
  return isFolder ? [path, namedPath(join(path.named, anyFile))] : [path];
}

const anyFile = 'any file';

/** Words that may be files, also behind `--option=` and `name=`; of a pattern, all files it stands for. */
function operands({ words }: ShellCommand, { folders, looksUp }: Reach): readonly NamedPath[] {
  return words.slice(1, mostWords).flatMap(({ value, kind }) => {
    const behind = value.replace(/^-*[\w-]+=/, '');
    const all = behind === value || value.startsWith('-') ? [behind] : [value, behind];
    const found = kind === 'glob' && looksUp ? all.flatMap((path) => matchesOf(folders, path)) : [];
    return [...all.flatMap((path) => pathsIn(folders, path)), ...found];
  });
}

function matchesOf(folders: readonly string[], pattern: string): readonly NamedPath[] {
  return folders.flatMap((folder) => globPaths(folder, atHome(pattern))).map(namedPath);
}

/** Words of a command that are looked at as files. */
const mostWords = 200;
