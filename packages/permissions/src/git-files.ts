import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { basename } from 'node:path/posix';
import { isInside } from '@turnwire/machine';
import { optionsOf } from './command-options.ts';
import { trackedFiles } from './git-index.ts';
import { isFolder, openPath, type Reach } from './line-reach.ts';
import type { NamedPath } from './path-pattern.ts';
import { repositoryOf } from './repository.ts';
import { withoutGlobalOptions } from './risky-commands.ts';
import type { ShellCommand } from './shell-line.ts';
import type { ShellWord } from './shell-word.ts';

/** Git verbs that print the content of files or write it elsewhere, in current or older versions. */
const showing: ReadonlySet<string> = new Set(
  (
    'annotate archive blame bundle cat-file checkout checkout-index diff diff-files diff-index diff-tree difftool fast-export ' +
    'format-patch grep log range-diff reflog restore show stash unpack-file whatchanged worktree'
  ).split(' '),
);

interface GitCommand {
  readonly verb: string;
  /** The words after the verb. */
  readonly words: readonly ShellWord[];
  /** The words that are neither options nor their values. Empty for a verb with unknown options. */
  readonly operands: readonly ShellWord[];
}

function gitCommand({ words }: ShellCommand): GitCommand | undefined {
  if (basename(words[0]?.value ?? '') !== 'git') return undefined;
  const [, verb = '', ...rest] = withoutGlobalOptions(words.map(({ value }) => value));
  const behind = rest.length === 0 ? [] : words.slice(-rest.length);
  const known = new Set(optionsOf(words)?.operands);
  const operands = verb === 'log' || verb === 'grep' || verb === 'diff' ? behind.filter((word) => known.has(word)) : [];
  return { verb, words: behind, operands };
}

/**
 * The files that git finds through its own syntax: `HEAD:src/a` and `:/src/a` start at the repository, a quoted `*.ts` includes files of
 * other folders and commits, and the content of a tracked file has a hash.
 */
export function gitPaths(command: ShellCommand, reach: Reach): readonly NamedPath[] {
  const git = gitCommand(command);
  if (!git || !showing.has(git.verb)) return [];
  return git.words.flatMap((word) => {
    const { value } = word;
    if (hash.test(value)) return contentNamed(value, reach);
    const { path, isTop, isWhole } = gitPathOf(value);
    if (path === '' || (!hasPattern(path) && !isTop)) return [];
    if (hasPattern(path) && word.kind === 'glob' && reach.matching(path).some(({ paths }) => paths.length > 0))
      return [];
    const bases = isTop ? repositories(reach) : reach.folders;
    return bases.map((base) => (isWhole || hasPattern(path) ? openPath(base, path) : reach.named(join(base, path))));
  });
}

function hasPattern(path: string): boolean {
  return /[*?[]/.test(path);
}

interface GitPath {
  /** Empty if the word does not contain a path. */
  readonly path: string;
  /** Whether it starts at the repository root. */
  readonly isTop: boolean;
  readonly isWhole?: boolean;
}

/** The path in `src/a`, `HEAD:src/a`, `:0:src/a` or `:(top,icase)src/a`. Empty for `:!src/a`. */
function gitPathOf(word: string): GitPath {
  if (word.startsWith('-')) return { path: '', isTop: false };
  const [, object] = /^(?!:[(/!^])[^:(]*:(?:\d:)?(.*)$/s.exec(word) ?? [];
  if (object !== undefined) return { path: /^\.\.?\//.test(object) ? '' : object, isTop: true };
  const [, long, short, rest = word] = /^:(?:\(([^)]*)\)|([/!^]+):?)(.*)$/s.exec(word) ?? [];
  const magic = long ?? short ?? '';
  if (/exclude|[!^]/.test(magic)) return { path: '', isTop: false };
  const isWhole = /icase|attr/.test(magic);
  return { path: isWhole ? '*' : rest, isTop: /top|\//.test(magic), isWhole };
}

function contentNamed(word: string, reach: Reach): readonly NamedPath[] {
  const [id = ''] = /^[0-9a-f]+/.exec(word.toLowerCase()) ?? [];
  return repositories(reach).flatMap((repository) =>
    (trackedFiles(repository) ?? [])
      .filter((file) => file.id.startsWith(id))
      .map(({ path }) => reach.named(join(repository, path))),
  );
}

function repositories({ folders }: Reach): readonly string[] {
  return [...new Set(folders.map(repositoryOf))].filter((each) => each !== undefined);
}

/** The maximum number of tracked files that are compared one by one. */
const mostFiles = 20_000;

/** Files that a git command may show without naming them: tracked files, or any file if it reads commits. */
export function gitContents(command: ShellCommand, reach: Reach): readonly NamedPath[] {
  const git = gitCommand(command);
  const extent = git && extentOf(git, reach);
  if (!git || extent === undefined) return [];
  const limits = limitsOf(git, reach);
  if (extent === 'any') return limits.map((limit) => openPath(limit, '*'));
  return trackedIn(limits, reach);
}

/** The tracked files in folders that a command restores or removes. `git clean` removes untracked files from the whole folder. */
export function gitChanges(command: ShellCommand, reach: Reach): readonly NamedPath[] {
  const git = gitCommand(command);
  if (git?.verb === 'clean' && git.words.some(({ value }) => /^(?:-[a-zA-Z]*f|--force$)/.test(value)))
    return reach.folders.map((folder) => reach.named(dirname(folder)));
  if (!git || !/^(?:checkout|restore|rm)$/.test(git.verb)) return [];
  const targets = git.words.map(({ value }) => gitPathOf(value)).filter(({ path, isTop }) => path !== '' && !isTop);
  const folders = targets.flatMap(({ path }) => reach.folders.map((folder) => join(folder, path))).filter(isFolder);
  return folders.length === 0 ? [] : trackedIn(folders, reach);
}

function trackedIn(folders: readonly string[], reach: Reach): readonly NamedPath[] {
  return repositories(reach).flatMap((repository) => {
    const files = trackedFiles(repository);
    if (!files || files.length > mostFiles) return [openPath(repository, '*')];
    return files
      .map(({ path }) => join(repository, path))
      .filter((path) => folders.some((folder) => isInside(folder, path)))
      .map((named) => ({ named, real: undefined, location: undefined }));
  });
}

/** Options that make git print changes, including abbreviations. */
const patch = /(?:^| )(?:-(?:p|u|c|U\d*|W)|--(?:patc|u(?!ntil)|cc|dd|rem|bin|word-d|color-w|func)\S*)(?= |$)/;
const hash = /^[0-9a-f]{4,}(?![\w.-])/i;

/** The extent of each verb's output beyond the named files, and the words that cause it. */
const extents: Readonly<Record<string, { readonly extent: 'tracked' | 'any'; readonly when?: RegExp }>> = {
  archive: { extent: 'any' },
  bundle: { extent: 'any' },
  'cat-file': { extent: 'any', when: /^(?!.*-[est]\b).*(?:^| )[0-9a-f]{4,}(?![\w.-])/i },
  'checkout-index': { extent: 'tracked' },
  'fast-export': { extent: 'any' },
  'format-patch': { extent: 'tracked' },
  grep: { extent: 'tracked' },
  log: { extent: 'tracked', when: patch },
  reflog: { extent: 'tracked', when: patch },
  stash: { extent: 'tracked', when: new RegExp(`^(?:list|show)\\b.*${patch.source}`) },
  'unpack-file': { extent: 'any' },
  whatchanged: { extent: 'tracked', when: patch },
  worktree: { extent: 'tracked', when: /^add\b/ },
};

/**
 * The extent of a command's output beyond the named files. `git show` and `git diff` are left out: they show the changes of one commit or
 * of the user.
 */
function extentOf(git: GitCommand, reach: Reach): 'tracked' | 'any' | undefined {
  const { verb, words } = git;
  if (verb === 'clone') return words.some((word) => isFolderIn(word, reach)) ? 'tracked' : undefined;
  const known = Object.hasOwn(extents, verb) ? extents[verb] : undefined;
  const isMeant = known?.when?.test(words.map(({ value }) => value).join(' ')) !== false;
  if (verb === 'grep' && searchedCommits(git, reach)) return 'any';
  return isMeant ? known?.extent : undefined;
}

function isFolderIn({ value }: ShellWord, { folders }: Reach): boolean {
  return folders.some((folder) => isFolder(join(folder, value)));
}

/** The folders and files to which the words of a command limit it. */
function limitsOf(git: GitCommand, reach: Reach): readonly string[] {
  const targets = pathsOf(git, reach).map(({ value }) => gitPathOf(value));
  const named = targets.filter(({ path }) => path !== '');
  if (named.length === 0) return repositories(reach);
  // The possible matches of a pattern are checked as words.
  return named
    .filter(({ path }) => !hasPattern(path))
    .flatMap(({ path, isTop }) => (isTop ? repositories(reach) : reach.folders).map((folder) => join(folder, path)));
}

/** The words that git uses as paths: those after `--`, or those that are not a commit. */
function pathsOf(git: GitCommand, reach: Reach): readonly ShellWord[] {
  const { verb, words, operands } = git;
  const end = words.findIndex(({ value }) => value === '--');
  if (end >= 0) return words.slice(end + 1);
  const named = verb === 'grep' ? (behindPattern(git) ?? []) : operands;
  return named.filter((word) => isPath(word, reach));
}

function isPath({ value }: ShellWord, { folders }: Reach): boolean {
  return (hasPattern(value) && !/[:^]/.test(value)) || folders.some((folder) => existsSync(join(folder, value)));
}

/** Whether `git grep` searches a commit, which is a word that is not a file. */
function searchedCommits(git: GitCommand, reach: Reach): boolean {
  const paths = new Set(pathsOf(git, reach));
  return behindPattern(git)?.some((word) => !paths.has(word)) !== false;
}

/**
 * The operands of `git grep` after the pattern, which options may contain instead. Undefined with a file of patterns, whose name is an
 * operand too.
 */
function behindPattern({ words, operands }: GitCommand): readonly ShellWord[] | undefined {
  if (words.some(({ value }) => fileOfPatterns.test(value))) return undefined;
  return words.some(({ value }) => /^-[a-zA-Z]*e/.test(value)) ? operands : operands.slice(1);
}

const fileOfPatterns = /^-[a-zA-Z]*f/;
