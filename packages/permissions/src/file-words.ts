import { isAbsolute, join, normalize, relative } from 'node:path';
import { globMatcher } from '@turnwire/machine';
import { gitPaths } from './git-files.ts';
import { atHome, isFolder, openPath, pathsIn, type Reach } from './line-reach.ts';
import type { NamedPath } from './path-pattern.ts';
import type { ShellCommand } from './shell-line.ts';
import { anyText, type ShellWord } from './shell-word.ts';

/** The words of a command that may be files. A commit message is excluded. */
export function fileWords({ words }: ShellCommand): readonly ShellWord[] {
  const isCommit = words[0]?.value === 'git' && words.some(({ value }) => value === 'commit');
  const pattern = searchPattern(words);
  return (
    words
      .slice(1, mostWords)
      // `<(…)` becomes a pipe, and its commands are checked separately.
      .filter((word) => word !== pattern && !(word.text.startsWith('<(') && word.becomes === anyText))
      .filter((_, at) => !isCommit || !/^(?:-[a-z]*m|--message)$/.test(words[at]?.value ?? ''))
  );
}

/** The search pattern of `grep`, unless options contain it: `.` in `grep -c . package.json` is not a folder. */
function searchPattern([name, ...rest]: readonly ShellWord[]): ShellWord | undefined {
  if (!/^[ef]?grep$/.test(name?.value ?? '')) return undefined;
  const first = rest.findIndex(({ value }) => !value.startsWith('-'));
  const isSaid = rest.every(({ value, kind }) => kind === 'literal' && !/^(?:--|-[a-zA-Z]*[ef])/.test(value));
  return isSaid && rest.length > first + 1 ? rest[first] : undefined;
}

/** A folder stands for all its contents: a rule about those matches any file inside. */
export function withContents(path: NamedPath, { named }: Reach): readonly NamedPath[] {
  return isFolder(path.named) ? [path, named(join(path.named, anyFile))] : [path];
}

const anyFile = 'any file';

/** Words that may be files; for a pattern, all files it matches, and those it may match once the line has placed more. */
export function operands(command: ShellCommand, reach: Reach): readonly NamedPath[] {
  const isGit = command.words[0]?.value === 'git';
  const words = fileWords(command).flatMap(({ value, kind }) => {
    const all = pathsInWord(value);
    // git expands quoted patterns itself.
    const isPattern = kind === 'glob' || (isGit && /[*?[]/.test(value));
    const found = isPattern ? all.flatMap((path) => matchesOf(path, reach)) : [];
    return [...all.flatMap((path) => pathsIn(reach, path)), ...found];
  });
  return [...words, ...gitPaths(command, reach)];
}

/** The parts of a word that may be a file: `x`, `--option=x`, `-fx`, `name=x`, `@x`, `host:x`, `x:/in/there`, `file:///x`. */
export function pathsInWord(word: string): readonly string[] {
  const paths = new Set([word]);
  const end = word.slice(-longestPath);
  for (const { index } of end.matchAll(/[=@:,]/g)) paths.add(end.slice(index + 1));
  const volume = /^[^:]+(?=:)/.exec(word)?.[0];
  if (volume !== undefined) paths.add(volume);
  if (/^-[^-]/.test(word)) for (let at = 2; at < Math.min(word.length, mostLetters); at++) paths.add(word.slice(at));
  for (const path of pathsInAddress(word)) paths.add(path);
  return [...paths].filter((path) => path !== '');
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

/** The longest path that systems open. */
export const longestPath = 4_096;
/** The maximum number of option letters in one word before a value. */
const mostLetters = 40;

/** Whether a file may begin behind more option letters than are checked. */
export function hidesInOptions(word: string): boolean {
  return /^-[^-]/.test(word) && word.length > mostLetters && !/[/=]/.test(word.slice(0, mostLetters));
}

function matchesOf(pattern: string, reach: Reach): readonly NamedPath[] {
  const path = atHome(pattern);
  const found = reach.matching(path).flatMap(({ paths }) => paths.map(reach.named));
  const open = reach.isRefilled ? reach.folders.map((folder) => openPath(folder, path)) : [];
  return [...found, ...open, ...reach.written.filter(({ named }) => reach.folders.some(isAbout(path, named)))];
}

function isAbout(pattern: string, path: string): (folder: string) => boolean {
  const isWhole = isAbsolute(pattern);
  const matches = globMatcher(isWhole ? pattern : normalize(pattern), { classes: true });
  return (folder) => matches(isWhole ? path : relative(folder, path));
}

/** The maximum number of words of a command that are checked as files. The files of a longer command are unclear. */
export const mostWords = 1_000;
