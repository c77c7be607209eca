import { statSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { homeFolder } from '@turnwire/machine';
import type { GlobMatches } from './glob-paths.ts';
import { namedPath } from './named-path.ts';
import type { NamedPath } from './path-pattern.ts';
import { possibleCommands } from './possible-commands.ts';
import type { ShellLine } from './shell-line.ts';
import { anyText } from './shell-word.ts';

/** A file that a command line names. */
export interface FileUse {
  readonly class: 'Read' | 'Edit';
  readonly path: NamedPath;
  /** A word of a command that may be a file: only rules about certain files apply. */
  readonly isGuess?: boolean;
  /** Whether the use is only possible. A rule that denies then asks. */
  readonly isPossible?: boolean;
}

/** The locations that the paths of a line may have. */
export interface Reach {
  readonly folders: readonly string[];
  /** The files that match a pattern, in each of the folders. */
  readonly matching: (pattern: string) => readonly GlobMatches[];
  readonly named: typeof namedPath;
  /** The files that the line writes. A pattern may match them once they exist. */
  readonly written: readonly NamedPath[];
  /** Whether a command of the line may create files that it does not name. */
  readonly isRefilled: boolean;
}

/** The maximum number of folders of a line. With more, relative paths are unclear. */
export const mostFolders = 16;

export function foldersOf(line: ShellLine, start: string | undefined): readonly string[] {
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

/** The folders that options of commands change to: `git -C x`, `env --chdir=x`. */
export function optionFolders(line: ShellLine, from: string): readonly string[] {
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
export function allLines(line: ShellLine): readonly ShellLine[] {
  return [line, ...line.commands.flatMap(({ script }) => (script ? allLines(script) : []))];
}

/** The possible locations of a path in a line; empty if unknown. */
export function pathsIn(
  { folders, named = namedPath }: Pick<Reach, 'folders'> & Partial<Pick<Reach, 'named'>>,
  path: string,
): readonly NamedPath[] {
  return folders.map((folder) => named(whole(folder, atHome(path))));
}

/** Any file that a pattern of a shell or of git may match in a folder, existing or not: for rules that deny. */
export function openPath(folder: string, pattern: string): NamedPath {
  const text = pattern.replaceAll(/\\.|\[[^\]]*\]|[*?]+/g, (found) =>
    found.startsWith('\\') ? found.slice(1) : anyText,
  );
  return { named: isAbsolute(text) ? text : join(folder, text), real: undefined, location: undefined };
}

/** A file that a command may read or change. Only possible if the command may not run, or if the file may be another one. */
export function guessed(used: FileUse['class'], path: NamedPath, isSure: boolean): FileUse {
  const isPossible = !isSure || path.named.includes(anyText);
  return { class: used, path, isGuess: true, ...(isPossible && { isPossible }) };
}

/** Joins a folder and a path without normalising, because the target of `..` depends on links. */
function whole(folder: string, path: string): string {
  return isAbsolute(path) ? path : `${folder}/${path}`;
}

export function atHome(path: string): string {
  return path === '~' || path.startsWith('~/') ? homeFolder() + path.slice(1) : path;
}

export function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false;
  }
}
