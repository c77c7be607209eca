import { basename } from 'node:path/posix';
import type { CompiledRule } from './compiled-rule.ts';
import type { Folders } from './folders.ts';
import type { NamedPath } from './path-pattern.ts';
import { changesFiles, isPlain } from './risky-commands.ts';
import type { ShellCommand, ShellLine } from './shell-line.ts';
import { quoted, type ShellWord } from './shell-word.ts';
import { pathsIn } from './line-files.ts';
import type { CommandUse } from './use.ts';

/** The rules that may allow the parts of a command line. */
export interface LineRules {
  /** Rules that allow, of every kind. */
  readonly rules: readonly CompiledRule[];
  readonly folders: Folders;
  /** Whether files in the folders may be changed without asking. */
  readonly acceptsEdits: boolean;
}

/** Whether a line is allowed and by what, or which part is not. */
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

  constructor(use: CommandUse, rules: LineRules) {
    this.#use = use;
    this.#rules = rules;
  }

  /** Why the line is not allowed; undefined if it is. */
  refusal(): string | undefined {
    const { line, startsIn } = this.#use;
    if (startsIn) this.#start(startsIn.map(folderChange));
    const because = this.#lineRefusal(line) ?? this.#moveRefusal(line);
    if (because !== undefined) return because;
    // Changing the directory has no effect by itself, and is no reason to allow a line without a recognised command.
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
    const isMove = command.words[0]?.value === 'cd';
    const rule = this.#rules.rules.find((each) => each.allowsCommand(command));
    if (rule) this.by.add(rule);
    else if (command.script) return this.#lineRefusal(command.script);
    else if (isMove && this.#staysInFolders(command)) this.#mayMove = false;
    else if (this.#rules.acceptsEdits && this.#isFileOperation(command)) this.byMode = true;
    else return `no rule covers the command ${shortened(command.text)}`;
    return undefined;
  }

  /** Starting in another folder is the same as changing to it. */
  #start(changes: readonly ShellCommand[]): void {
    const rule = this.#rules.rules.find((each) => changes.some((change) => each.allowsCommand(change)));
    if (!rule) this.#mayMove = false;
  }

  /** `cd` to a folder of the session. */
  #staysInFolders({ words: [, folder, more] }: ShellCommand): boolean {
    if (folder?.kind !== 'literal' || folder.value.startsWith('-') || more) return false;
    return this.#allPaths(folder.value, (path) => this.#rules.folders.hold(path));
  }

  /** A command that reads its configuration from the working directory behaves differently elsewhere than the rule assumes. */
  #moveRefusal(line: ShellLine): string | undefined {
    const { folders, startsIn } = this.#use;
    if (line.folders.length === 0 && startsIn === undefined) return undefined;
    const commands = allCommands(line);
    const names = commands.map(({ words }) => words[0]?.value ?? '');
    const isGit = names.some((name) => basename(name) === 'git');
    if (isGit && !this.#rules.folders.shareRepository(folders))
      return 'git would use a repository other than that of the session';
    // A line may create a repository before git looks for one.
    if (isGit && (hasWrites(line) || !commands.every(leavesFolders)))
      return 'earlier commands may determine which repository git finds';
    const away =
      this.#mayMove || this.#rules.folders.areRoots(folders)
        ? undefined
        : names.find((name) => !isPlain(name) && basename(name) !== 'git');
    return away === undefined
      ? undefined
      : `no rule allows changing the working directory before ${shortened(away)}, which may read its configuration there`;
  }

  /** `mkdir`, `rm`, `mv`, `touch` or `cp` of files in the folders, with only harmless options. */
  #isFileOperation({ words: [name, ...rest] }: ShellCommand): boolean {
    const options = operations[name?.value ?? ''];
    if (!options || !rest.every(({ kind }) => kind === 'literal')) return false;
    const end = rest.findIndex(({ value }) => value === '--');
    const isOption = (value: string, at: number): boolean => value.startsWith('-') && (end < 0 || at <= end);
    const values = rest.map(({ value }) => value);
    const operands = values.filter((value, at) => !isOption(value, at));
    return (
      operands.length > 0 &&
      values.every((value, at) => !isOption(value, at) || value === '--' || options.test(value)) &&
      operands.every((path) => this.#allPaths(path, (each) => this.#rules.folders.letChange(each)))
    );
  }

  #allowsEdit(path: NamedPath): boolean {
    if (this.#rules.folders.guard(path)) return false;
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

function hasWrites({ writes, commands }: ShellLine): boolean {
  return writes.length > 0 || commands.some(({ script }) => script !== undefined && hasWrites(script));
}

/** Whether a command creates, moves and removes nothing in the folders: a verb of git that reads or records, or a read-only program. */
function leavesFolders({ words: [name, ...rest] }: ShellCommand): boolean {
  const program = basename(name?.value ?? '');
  if (program !== 'git') return isPlain(program) && !changesFiles(program);
  const verb = rest.find(({ value }) => !value.startsWith('-'))?.value ?? '';
  return recordingVerbs.has(verb);
}

const recordingVerbs: ReadonlySet<string> = new Set(
  (
    'add blame cat-file commit describe diff fetch for-each-ref grep log ls-files ls-remote ls-tree merge-base push reflog ' +
    'rev-list rev-parse shortlog show show-ref status tag'
  ).split(' '),
);

function allCommands(line: ShellLine): readonly ShellCommand[] {
  return line.commands.flatMap((command) => (command.script ? allCommands(command.script) : [command]));
}

/** The options with which these change only the files they name. */
const operations: Readonly<Record<string, RegExp>> = {
  mkdir: /^-[pv]+$/,
  rm: /^-[dfirRv]+$/,
  mv: /^-[finv]+$/,
  touch: /^-[acm]+$/,
  cp: /^-[finprRv]+$/,
};

function shortened(text: string): string {
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}
