import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { type CommandTexts, commandTexts } from './command-texts.ts';
import type { NamedPath } from './path-pattern.ts';
import type { Action } from './permissions.ts';
import { realPath } from './real-path.ts';
import { type ShellLine, shellLine } from './shell-line.ts';
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

/** All an action does: what has to be allowed, and what else a rule may ask about or deny. */
export interface Uses {
  readonly needed: readonly Use[];
  readonly also: () => readonly Use[];
}

/** Folders a line may go to before nothing can be told about relative paths. */
const mostFolders = 16;

export function usesOf(action: Action): Uses {
  const paths = action.paths.map(namedPath);
  if (action.command !== undefined) return commandUses(action, action.command, paths);
  const needed = classesOf(action).flatMap((each) => usesOfClass(each, paths, action.url));
  const also = paths.flatMap(
    (path) =>
      [
        { class: 'Read', path },
        { class: 'Edit', path },
      ] as const,
  );
  const isKnown = needed.every((use) => use.class !== 'Other');
  const fetched = action.url === undefined ? [] : [{ class: 'WebFetch', url: action.url } as const];
  return { needed, also: once(() => (isKnown ? [] : [...also, ...fetched])) };
}

export function namedPath(path: string): NamedPath {
  const folder = realPath(dirname(path));
  return { named: path, real: realPath(path), place: folder && join(folder, basename(path)) };
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
  const command: CommandUse = { line, folders, texts: once(() => commandTexts(line)) };
  const byKind = toolClass(action.kind) ?? 'Other';
  const touched = byKind === 'Bash' ? [] : paths.map((path): Use => ({ class: byKind, path }));
  const also = once(() => [...redirections(line, folders), ...named(line, folders), ...touched]);
  return { needed: [{ class: 'Bash', command }], also };
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
export function allLines(line: ShellLine): readonly ShellLine[] {
  return [line, ...line.commands.flatMap(({ script }) => (script ? allLines(script) : []))];
}

/** Where a path in a line may lead; nowhere if that cannot be told. */
export function pathsIn(folders: readonly string[], path: string): readonly NamedPath[] {
  return folders.map((folder) => namedPath(resolve(folder, atHome(path))));
}

function atHome(path: string): string {
  return path === '~' || path.startsWith('~/') ? homedir() + path.slice(1) : path;
}

function redirections(line: ShellLine, folders: readonly string[]): readonly Use[] {
  return allLines(line).flatMap(({ writes, reads }) => [
    ...writes.flatMap((path) => pathsIn(folders, path).map((each): Use => ({ class: 'Edit', path: each }))),
    ...reads.flatMap((path) => pathsIn(folders, path).map((each): Use => ({ class: 'Read', path: each }))),
  ]);
}

/** Words that may be files: a command that names one may read it, and some are known to change what they name. */
function named(line: ShellLine, folders: readonly string[]): readonly Use[] {
  const commands = allLines(line).flatMap(({ commands }) => commands);
  return commands.flatMap(({ words }) => {
    const changes =
      /^(?:chmod|chown|cp|dd|install|ln|mkdir|mv|patch|rm|rmdir|rsync|sed|shred|tee|touch|truncate|unlink)$/.test(
        words[0]?.value ?? '',
      );
    return words
      .slice(1, mostWords)
      .flatMap(({ value }) =>
        pathsIn(folders, value.replace(/^-+[\w-]*=/, '')).flatMap((path): readonly Use[] => [
          ...(changes ? [{ class: 'Edit', path, isGuess: true } as const] : []),
          ...(existsSync(path.named) ? [{ class: 'Read', path, isGuess: true } as const] : []),
        ]),
      );
  });
}

/** Words of a command that are looked at as files. */
const mostWords = 200;
