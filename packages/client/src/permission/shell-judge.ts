import type { CompiledRule } from './compiled-rule.ts';
import type { Folders } from './folders.ts';
import type { NamedPath } from './path-pattern.ts';
import type { ShellCommand, ShellLine } from './shell-line.ts';
import { type CommandUse, pathsIn } from './use.ts';

/** What may allow the parts of a command line. */
export interface LineRules {
  /** Rules that allow, of every kind. */
  readonly rules: readonly CompiledRule[];
  readonly folders: Folders;
  /** Whether files in the folders may be changed without asking. */
  readonly acceptsEdits: boolean;
}

/** Whether a line is allowed, by what, or what about it is not. */
export type LineVerdict =
  | { readonly allowed: true; readonly by: ReadonlySet<CompiledRule>; readonly byMode: boolean }
  | { readonly allowed: false; readonly because: string };

/** Allows a line only if all of it is understood and each part of it is allowed. */
export function judgeLine(use: CommandUse, rules: LineRules): LineVerdict {
  const judge = new LineJudge(use.folders, rules);
  const because = use.folders.length >= 16 ? 'it changes the folder too often' : judge.refusal(use.line);
  return because === undefined ? { allowed: true, by: judge.by, byMode: judge.byMode } : { allowed: false, because };
}

class LineJudge {
  readonly by = new Set<CompiledRule>();
  byMode = false;
  readonly #starts: readonly string[];
  readonly #rules: LineRules;

  constructor(starts: readonly string[], rules: LineRules) {
    this.#starts = starts;
    this.#rules = rules;
  }

  /** Why a line is not allowed; undefined if it is. */
  refusal(line: ShellLine): string | undefined {
    if (line.doubts.length > 0) return `nothing can be sure about the command line: ${line.doubts[0]}`;
    if (line.commands.length === 0 && line.writes.length === 0) return 'the command line runs nothing';
    for (const command of line.commands) {
      const because = this.#commandRefusal(command);
      if (because !== undefined) return because;
    }
    const write = line.writes.find((path) => !this.#allPaths(path, (each) => this.#allowsEdit(each)));
    return write === undefined ? undefined : `no rule lets the command write to ${write}`;
  }

  #commandRefusal(command: ShellCommand): string | undefined {
    const rule = this.#rules.rules.find((each) => each.allowsCommand(command));
    if (rule) this.by.add(rule);
    else if (command.script) return this.refusal(command.script);
    else if (this.#rules.acceptsEdits && this.#isFileOperation(command)) this.byMode = true;
    else if (!this.#isTameChange(command)) return `no rule covers the command ${shortened(command.text)}`;
    return undefined;
  }

  /** `cd` to a folder of the session. */
  #isTameChange({ words: [name, folder, more] }: ShellCommand): boolean {
    if (name?.value !== 'cd' || folder?.kind !== 'literal' || folder.value.startsWith('-') || more) return false;
    return this.#allPaths(folder.value, (path) => this.#rules.folders.hold(path));
  }

  /** `mkdir`, `rm`, `mv`, `touch` or `cp` of files in the folders, with nothing but plain options. */
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
    return this.#starts.length > 0 && pathsIn(this.#starts, path).every(test);
  }
}

/** The options with which these change only what they name. */
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
