import { basename } from 'node:path/posix';
import type { CompiledRule } from './compiled-rule.ts';
import { effectsOf, fileOperation, type OperationEffects } from './file-operations.ts';
import type { Folders } from './folders.ts';
import type { NamedPath } from './path-pattern.ts';
import { changesFiles, isPlain } from './risky-commands.ts';
import type { ShellCommand, ShellLine } from './shell-line.ts';
import { quoted, type ShellWord } from './shell-word.ts';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryOf } from './repository.ts';
import { gitFolder, partsOf } from './command-parts.ts';
import { hasRiskyOptions, optionsOf } from './command-options.ts';
import { isHarmlessSed } from './sed-script.ts';
import { isInside } from '@turnwire/machine';
import { allLines, pathsIn } from './line-reach.ts';
import { namedPath } from './named-path.ts';
import type { CommandUse } from './use.ts';

/** The rules that may allow the parts of a command line. */
export interface LineRules {
  /** Rules that allow, of every kind. */
  readonly rules: readonly CompiledRule[];
  readonly folders: Folders;
  /** Whether files in the folders may be changed without asking. */
  readonly acceptsEdits: boolean;
}

/** The rules that allow a line, or the reason why a part of it is not allowed. */
export type LineVerdict =
  | { readonly allowed: true; readonly by: ReadonlySet<CompiledRule>; readonly byMode: boolean }
  | { readonly allowed: false; readonly because: string };

/** Allows a line only if all of it is understood and each part of it is allowed. */
export function judgeLine(use: CommandUse, rules: LineRules): LineVerdict {
  const judge = new LineJudge(use, rules);
  const because = use.folders.length >= 16 ? 'it changes the working directory too often' : judge.refusal();
  return because === undefined ? { allowed: true, by: judge.by, byMode: judge.byMode } : { allowed: false, because };
}

class LineJudge {
  readonly by = new Set<CompiledRule>();
  byMode = false;
  readonly #use: CommandUse;
  readonly #rules: LineRules;
  /** Whether a rule allows the change of the working directory, if there is one. */
  #mayMove = true;
  /** All commands of the line, those of its scripts included. */
  readonly #commands: readonly ShellCommand[];
  readonly #effects = new Map<ShellCommand, readonly OperationEffects[] | undefined>();

  constructor(use: CommandUse, rules: LineRules) {
    this.#use = use;
    this.#rules = rules;
    this.#commands = allCommands(use.line);
  }

  /** Why the line is not allowed; undefined if it is. */
  refusal(): string | undefined {
    const { line, startsIn } = this.#use;
    if (startsIn) this.#start(startsIn.map(folderChange));
    const because = this.#lineRefusal(line) ?? this.#moveRefusal(line);
    if (because !== undefined) return because;
    // Changing the directory has no effect by itself, but a line needs at least one recognised command.
    return this.by.size === 0 && !this.byMode ? 'no rule applies to anything in the command line' : undefined;
  }

  #lineRefusal(line: ShellLine): string | undefined {
    if (line.doubts.length > 0) return `the command line cannot be analysed with certainty: ${line.doubts[0]}`;
    if (line.commands.length === 0 && line.writes.length === 0) return 'the command line runs nothing';
    for (const command of line.commands) {
      const because = this.#commandRefusal(command);
      if (because !== undefined) return because;
    }
    const write = line.writes.find((path) => !this.#allPaths(path, (each) => this.#allowsEdit(each)));
    return write === undefined ? undefined : `no rule allows the command to write to ${write}`;
  }

  #commandRefusal(command: ShellCommand): string | undefined {
    const rule = this.#rules.rules.find((each) => each.allowsCommand(command));
    if (!rule) return this.#unruledRefusal(command);
    const remote = this.#foreignRemote(command);
    if (remote !== undefined)
      return `git would run in ${remote}, another repository, with the hooks and settings there`;
    this.by.add(rule);
    return undefined;
  }

  #unruledRefusal(command: ShellCommand): string | undefined {
    if (command.script) return this.#lineRefusal(command.script);
    const parts = partsOf(command);
    if (parts) return this.#partsRefusal(command, parts);
    if (command.words[0]?.value === 'cd' && this.#staysInFolders(command)) this.#mayMove = false;
    else if (this.#rules.acceptsEdits && this.#isFileOperation(command)) this.byMode = true;
    else return `no rule covers the command ${shortened(command.text)}`;
    return undefined;
  }

  #partsRefusal(command: ShellCommand, parts: readonly ShellCommand[]): string | undefined {
    const refused = parts.map((part) => this.#commandRefusal(part)).find((because) => because !== undefined);
    return refused === undefined ? undefined : `no rule covers the command ${shortened(command.text)}`;
  }

  /** A remote that is a folder outside the session's repository. A name counts too if there is a folder with that name. */
  #foreignRemote({ words }: ShellCommand): string | undefined {
    if (basename(words[0]?.value ?? '') !== 'git') return undefined;
    const [verb, ...remotes] = (optionsOf(words)?.operands ?? []).map(({ value }) => value);
    if (!/^(?:clone|fetch|ls-remote|pull|push)$/.test(verb ?? '')) return undefined;
    return remotes.find((remote, at) => {
      const isPath = /^(?:[./~]|file:)/i.test(remote);
      // The words after the first one name branches.
      if (!isPath && (at > 0 || /^[^/]*:/.test(remote) || this.#isConfigured(remote))) return false;
      const path = remote.replace(/^file:(?:\/\/[^/]*)?/i, '');
      const found = ['', '.git', '.bundle']
        .flatMap((end) => pathsIn(this.#use, `${path}${end}`))
        .filter(({ named, real }) => real === undefined || existsSync(named));
      const mayAppear = isPath || this.#commands.some(createsLinks);
      return found.length === 0 ? mayAppear : !this.#shareRepository(found);
    });
  }

  /** Whether the repository configures a remote with this name. Then git does not use a folder with that name. */
  #isConfigured(remote: string): boolean {
    const repository = repositoryOf(this.#use.folders[0] ?? '/');
    try {
      return readFileSync(join(repository ?? '/', '.git/config'), 'utf8').includes(`[remote "${remote}"]`);
    } catch {
      return false;
    }
  }

  #shareRepository(paths: readonly NamedPath[]): boolean {
    const folders = paths.map(({ real }) => real).filter((real) => real !== undefined);
    return folders.length === paths.length && this.#rules.folders.shareRepository(folders);
  }

  /** The folders in which `git -C` runs. */
  #gitFolders(): readonly NamedPath[] {
    const lines = allLines(this.#use.line);
    const commands = lines.flatMap(({ commands: own }) => own.flatMap((each) => [each, ...(partsOf(each) ?? [])]));
    return commands.flatMap((each) => {
      const folder = gitFolder(each);
      return folder ? pathsIn(this.#use, folder.value) : [];
    });
  }

  /** Handles a start folder outside the roots like a change to it. */
  #start(changes: readonly ShellCommand[]): void {
    const rule = this.#rules.rules.find((each) => changes.some((change) => each.allowsCommand(change)));
    if (!rule) this.#mayMove = false;
  }

  /** Whether `cd` stays in the folders of the session. */
  #staysInFolders({ words: [, folder, more] }: ShellCommand): boolean {
    if (folder?.kind !== 'literal' || folder.value.startsWith('-') || more) return false;
    return this.#allPaths(folder.value, (path) => this.#rules.folders.hold(path));
  }

  /**
   * Why a change of the folder is not allowed: a command that reads its configuration from the working directory may behave differently
   * there.
   */
  #moveRefusal(line: ShellLine): string | undefined {
    const { startsIn } = this.#use;
    const named = this.#gitFolders();
    if (line.folders.length === 0 && startsIn === undefined && named.length === 0) return undefined;
    const commands = allCommands(line);
    const names = commands.filter(({ words }) => !readsOnly(words)).map(({ words }) => words[0]?.value ?? '');
    const isGit = names.some((name) => basename(name) === 'git');
    if (isGit && !(this.#rules.folders.shareRepository(this.#use.folders) && this.#shareRepository(named)))
      return 'git would use a repository other than that of the session';
    // A line may create a repository before git looks for one.
    if (isGit && (allLines(line).some(({ writes }) => writes.length > 0) || !commands.every(leavesFolders)))
      return 'earlier commands may determine which repository git finds';
    return this.#awayRefusal(names);
  }

  #awayRefusal(names: readonly string[]): string | undefined {
    const isSettled = this.#mayMove || this.#rules.folders.areRoots(this.#use.folders);
    const away = isSettled ? undefined : names.find((name) => !isPlain(name) && basename(name) !== 'git');
    return away === undefined
      ? undefined
      : `no rule allows changing the working directory before ${shortened(away)}, which may read its configuration there`;
  }

  /**
   * Whether a command is `mkdir`, `rm`, `mv`, `touch` or `cp` of files in the folders. Targets of another command's move or copy may
   * contain links that lead elsewhere, so the same line may not work below them.
   */
  #isFileOperation(command: ShellCommand): boolean {
    const effects = this.#effectsOf(command);
    if (!effects) return false;
    const { folders } = this.#rules;
    const before = isSequential(this.#use.line)
      ? this.#commands.slice(0, this.#commands.indexOf(command))
      : this.#commands.filter((each) => each !== command);
    return effects.every(
      ({ reads, changes, trees, replaced }) =>
        reads.every((path) => folders.hold(namedPath(path))) &&
        changes.every((path) => folders.letChange(namedPath(path))) &&
        before.every((each) => this.#leaves(each, [...reads, ...changes, ...trees])) &&
        !this.#changed(before).some(
          (path) => trees.some((tree) => isBelow(tree, path)) || replaced.some((file) => isAt(file, path)),
        ),
    );
  }

  /** The effects of a command as a file operation, in each folder that the line may be in; undefined for another command. */
  #effectsOf(command: ShellCommand): readonly OperationEffects[] | undefined {
    if (!this.#effects.has(command)) {
      const operation = fileOperation(command);
      const all = this.#use.folders.map((folder) => operation && effectsOf(operation, folder));
      const known = all.filter((each) => each !== undefined);
      this.#effects.set(command, known.length > 0 && known.length === all.length ? known : undefined);
    }
    return this.#effects.get(command);
  }

  /** Whether a command puts no link at or above any of these paths. */
  #leaves(command: ShellCommand, paths: readonly string[]): boolean {
    const effects = this.#effectsOf(command);
    if (!effects) return leavesFolders(command);
    const possibleLinks = effects.flatMap((each) => each.possibleLinks);
    return !possibleLinks.some((created) => paths.some((path) => isAt(created, path) || isBelow(created, path)));
  }

  /** Paths that these commands, or redirections anywhere in the line, change. */
  #changed(commands: readonly ShellCommand[]): readonly string[] {
    const effects = commands.flatMap((command) => this.#effectsOf(command) ?? []);
    const writes = allLines(this.#use.line).flatMap((line) => line.writes);
    return [
      ...effects.flatMap(({ changes }) => changes),
      ...writes.flatMap((path) => pathsIn(this.#use, path).map(({ named }) => named)),
    ];
  }

  /** Whether a command of the line may put a link where a redirection writes. */
  #mayBeLinked({ named }: NamedPath): boolean {
    return this.#commands.some((command) => createsLinks(command) && !this.#leaves(command, [named]));
  }

  #allowsEdit(path: NamedPath): boolean {
    if (this.#rules.folders.guard(path) || this.#mayBeLinked(path)) return false;
    const rule = this.#rules.rules.find((each) => each.allows({ class: 'Edit', path }));
    if (rule) this.by.add(rule);
    else if (this.#rules.acceptsEdits && this.#rules.folders.letChange(path)) this.byMode = true;
    else return false;
    return true;
  }

  #allPaths(path: string, test: (path: NamedPath) => boolean): boolean {
    return this.#use.folders.length > 0 && pathsIn(this.#use, path).every(test);
  }
}

function folderChange(folder: string): ShellCommand {
  const word = (value: string): ShellWord => ({
    value,
    text: quoted(value),
    kind: 'literal',
    becomes: value,
    isSplit: false,
  });
  const text = `cd ${quoted(folder)}`;
  return { words: [word('cd'), word(folder)], text, typed: text };
}

function isSequential(line: ShellLine): boolean {
  return allLines(line).every((each) => each.isSequential);
}

function isAt(location: string, path: string): boolean {
  return (
    namedPath(location).location === namedPath(path).location || namedPath(location).named === namedPath(path).named
  );
}

/** Whether a path is inside an existing or future folder at this location. */
function isBelow(folder: string, path: string): boolean {
  const [above, below] = [namedPath(folder), namedPath(path)];
  const isIn = (folder: string | undefined, each: string | undefined): boolean =>
    folder !== undefined && each !== undefined && folder !== each && isInside(folder, each);
  return isIn(above.named, below.named) || isIn(above.location, below.location) || isIn(above.location, below.real);
}

/** Whether a command creates, moves and removes nothing in the folders: a verb of git that reads or records, or a read-only program. */
function leavesFolders({ words }: ShellCommand): boolean {
  const [name, ...rest] = words;
  const program = basename(name?.value ?? '');
  if (program === 'sed') return readsOnly(words);
  if (program !== 'git') return isPlain(program) && !changesFiles(program);
  const verb = rest.find(({ value }) => !value.startsWith('-'))?.value ?? '';
  return recordingVerbs.has(verb);
}

/** A sed that writes and runs nothing. */
function readsOnly(words: readonly ShellWord[]): boolean {
  return basename(words[0]?.value ?? '') === 'sed' && !hasRiskyOptions(words) && isHarmlessSed(words);
}

const recordingVerbs: ReadonlySet<string> = new Set(
  (
    'add blame cat-file commit describe diff fetch for-each-ref grep log ls-files ls-remote ls-tree merge-base push reflog ' +
    'rev-list rev-parse shortlog show show-ref status tag'
  ).split(' '),
);

function allCommands(line: ShellLine): readonly ShellCommand[] {
  return line.commands.flatMap((command) =>
    command.script ? allCommands(command.script) : (partsOf(command) ?? [command]),
  );
}

/** Programs that move, copy, unpack or check out links, and whose words limit them to that. */
const linkCreators: ReadonlySet<string> = new Set(
  '7z bsdtar cp cpio git hg install ln mv patch rsync scp svn tar unzip'.split(' '),
);

function createsLinks(command: ShellCommand): boolean {
  return linkCreators.has(basename(command.words[0]?.value ?? '')) && !leavesFolders(command);
}

function shortened(text: string): string {
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}
