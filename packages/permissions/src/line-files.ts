import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  fileWords,
  hidesInOptions,
  longestPath,
  mostWords,
  operands,
  pathsInWord,
  withContents,
} from './file-words.ts';
import { contentsOf, foundPaths, lookingCommands } from './folder-contents.ts';
import { gitChanges } from './git-files.ts';
import { globPaths } from './glob-paths.ts';
import {
  allLines,
  atHome,
  type FileUse,
  foldersOf,
  guessed,
  isFolder,
  mostFolders,
  optionFolders,
  openPath,
  pathsIn,
  type Reach,
} from './line-reach.ts';
import type { namedPath } from './named-path.ts';
import { once } from './once.ts';
import {
  changes,
  hasWordsFromElsewhere,
  mayRunOthers,
  createsFiles,
  type PossibleCommand,
  possibleCommands,
  unpacks,
} from './possible-commands.ts';
import type { NamedPath } from './path-pattern.ts';
import { memoized } from './memoized.ts';
import { changesFiles, isContentless, isInterpreter } from './risky-commands.ts';
import type { ShellLine } from './shell-line.ts';
import type { ShellWord } from './shell-word.ts';

/** The files of a command line. All except its folders are computed on demand. */
export interface LineFiles {
  /** The folders it may run in: where it starts and the targets of `cd`. */
  readonly folders: readonly string[];
  readonly changes: () => readonly FileUse[];
  readonly reads: () => readonly FileUse[];
  /** The files in named folders, which commands may read recursively. */
  readonly inside: () => readonly FileUse[];
  /** Why the files are unclear, if they are. */
  readonly unclearFiles: () => string | undefined;
}

/**
 * The maximum number of patterns in a line, counted once for each folder it may be in. The files of a line with more patterns are unclear.
 */
const mostPatterns = 20;

/** Finds the files of a line that starts in a folder. */
export function lineFiles(
  line: ShellLine,
  { start, named }: { readonly start: string | undefined; readonly named: typeof namedPath },
): LineFiles {
  const folders = foldersOf(line, start);
  const reached = [...new Set([...folders, ...folders.flatMap((folder) => optionFolders(line, folder))])];
  const looksUp = patternsIn(line) * reached.length <= mostPatterns;
  const matching = memoized((pattern: string) => reached.map((folder) => globPaths(folder, pattern)));
  const isRefilled = possibleCommands(line).some((command) => createsFiles(command));
  const base = { folders: reached, named };
  const written = redirectTargets(line).flatMap((path) => pathsIn(base, path));
  const reach: Reach = { ...base, matching: looksUp ? matching : () => [], written, isRefilled };
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

/** The first word known only to the shell, in a command that may read files. */
function computedFile(line: ShellLine): string | undefined {
  const looking = lookingCommands(line);
  const input = allLines(line).flatMap(({ reads }) => reads);
  if (input.some((path) => systemFile.test(path))) return 'only the shell knows what it reads by redirection';
  const fed = looking.find((command) => hasWordsFromElsewhere(command));
  if (fed) return `the words of ${fed.words[0]?.text ?? 'a command'} come from elsewhere`;
  const word = looking
    .flatMap((command) => fileWords(command).filter(({ text }) => text !== '{}' || command.found === undefined))
    // The content of /proc depends on the reader.
    .find(({ kind, value }) => kind === 'computed' || systemFile.test(value) || /^file:.*[[{*?]/i.test(value));
  return word && `only the shell knows the value of ${word.text}`;
}

const systemFile = /(?:^|[=@:,])\/(?:proc|dev\/fd)\//;

/** The doubt about a line that names more files than are checked. */
function uncheckedFile(line: ShellLine, { folders, matching }: Reach): string | undefined {
  if (folders.length >= mostFolders) return 'it changes the working directory too often';
  if (hiddenWords(line).length > mostWords) return `a text that it may run has more than ${mostWords} words`;
  for (const command of lookingCommands(line)) {
    if (command.words.length > mostWords) return `one of its commands has more than ${mostWords} words`;
    const words = fileWords(command);
    const cluster = words.find(({ value }) => hidesInOptions(value));
    if (cluster) return `${cluster.text.slice(0, 20)}… has too many option letters to be checked`;
    const patterns = words.filter(({ kind }) => kind === 'glob').flatMap(({ value }) => pathsInWord(value));
    const wide = patterns.find((pattern) => matching(atHome(pattern)).some(({ isWhole }) => !isWhole));
    if (wide !== undefined) return `too many files match ${wide} to be checked`;
  }
  return undefined;
}

function patternsIn(line: ShellLine): number {
  const words = allLines(line).flatMap(({ commands }) => commands.flatMap((command) => command.words));
  return words.filter(({ kind }) => kind === 'glob').length;
}

/** The words of a line that name files to write. */
function redirectTargets(line: ShellLine): readonly string[] {
  const writing = possibleCommands(line).filter(({ words }) => changesFiles(words[0]?.value ?? ''));
  const words = writing.flatMap((command) => fileWords(command)).filter(({ kind }) => kind === 'literal');
  return [...allLines(line).flatMap(({ writes }) => writes), ...words.map(({ value }) => value)].slice(0, mostWords);
}

/** The files that a line writes by redirection, and those named by commands that change or may change files. */
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
    ? (foundPaths(command, reach) ??
      operands(command, reach).flatMap((path) => [...withContents(path, reach), ...emptied(words, path, reach)]))
    : outputsOf(words).flatMap((path) => pathsIn(reach, path));
  const unpacked = unpacks(command) ? reach.folders.map((folder) => openPath(folder, '*')) : [];
  return [...named, ...unpacked, ...gitChanges(command, reach)].map((path) => guessed('Edit', path, isSure));
}

/** The changed folders: removing an entry changes its parent folder. The last operand of `mv` is not removed. */
function emptied(words: readonly ShellWord[], { named }: NamedPath, reach: Reach): readonly NamedPath[] {
  const program = words[0]?.value ?? '';
  const kept = program === 'mv' ? pathsIn(reach, words.at(-1)?.value ?? '') : [];
  const isRemoved = /^(?:find|mv|rm)$/.test(program) && !kept.some((path) => path.named === named);
  return isRemoved && isFolder(named) ? [reach.named(dirname(named))] : [];
}

/** The values of options with which most programs choose their output file: `-o x`, `-ox`, `--output=x`. */
function outputsOf(words: readonly ShellWord[]): readonly string[] {
  return words.flatMap(({ value }, at) => {
    const [option, attached] = /^(?:-out$|-[oO]|--out[\w-]*=?)(.*)$/s.exec(value) ?? [];
    return option === undefined ? [] : [attached || (words[at + 1]?.value ?? '')];
  });
}

/** The files that a line reads by redirection, and all files that commands name, because they may read them. */
function filesRead(line: ShellLine, reach: Reach): readonly FileUse[] {
  const redirected = allLines(line).flatMap(({ reads }) => reads.flatMap((path) => pathsIn(reach, path)));
  const named = possibleCommands(line).flatMap((command) => {
    // A missing file may be created before the command runs, even by the same line.
    const isRead = !isContentless(command.words[0]?.value ?? '');
    const files = operands(command, reach).filter(({ named: path }) => isRead || existsSync(path));
    return files.flatMap((path) => withContents(path, reach)).map((path) => ({ path, isSure: command.isSure }));
  });
  return [
    ...redirected.map((path): FileUse => ({ class: 'Read', path })),
    ...named.map(({ path, isSure }) => guessed('Read', path, isSure)),
  ];
}

/** Files in texts that a command may run, such as `watch 'cat x'` and `python3 -c 'open("x")'`. */
function hiddenFiles(line: ShellLine, reach: Reach, kind: FileUse['class']): readonly FileUse[] {
  return hiddenWords(line)
    .flatMap((word) => pathsIn(reach, word))
    .map((path) => guessed(kind, path, false));
}

/** The words of texts that a command may run. Single words are checked with the other words. */
function hiddenWords(line: ShellLine): readonly string[] {
  const texts = allLines(line).flatMap(({ commands }) =>
    commands
      .filter((command) => !command.script && (mayRunOthers(command) || isInterpreter(command.words[0]?.value ?? '')))
      .flatMap(({ words }) => words.slice(1).map(({ value }) => value)),
  );
  const words = texts.flatMap((text) => [
    ...(betweenWords.test(text) ? text.split(betweenWords) : []),
    // The commands `r`, `R`, `w` and `W` of sed, and the line number before them.
    ...Array.from(text.slice(0, longestPath).matchAll(/(?=[rRwW]\s*([^\s;}]+))/g), ([, file = '']) => file),
    ...Array.from(text.slice(longestPath).matchAll(/[rRwW]\s*([^\s;}]+)/g), ([, file = '']) => file),
  ]);
  return [...new Set(words)].filter((word) => word !== '' && word.length <= longestPath);
}

const betweenWords = /[\s;&|()<>"'`$,=]+/;
