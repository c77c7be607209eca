import { TurnwireError } from '@turnwire/protocol';
import { realPath } from '@turnwire/machine';
import { AcceptedRules, type Acceptance, nothingAccepted } from './accepted-rules.ts';
import { type CompiledRule, compileRule } from './compiled-rule.ts';
import type { PathBases } from './path-pattern.ts';
import type { GivenRule, PermissionRule, PermissionsOptions, RuleEffect, RuleSource } from './permissions.ts';
import { memoized } from './memoized.ts';
import { RuleFile, type RuleFileContent } from './rule-file.ts';
import { isSameRule } from './written-rule.ts';

/** The inputs of a rule book. */
export interface RuleBookParts {
  readonly bases: PathBases;
  readonly given: readonly GivenRule[];
  readonly files: NonNullable<PermissionsOptions['files']>;
  /** Whether allow rules of files apply, once they are accepted. */
  readonly filesAllow: boolean;
  readonly onWarning: (message: string) => void;
}

/** All rules at one moment. */
export interface RuleSet {
  readonly rules: readonly PermissionRule[];
  /** The rules in force. */
  readonly byEffect: Readonly<Record<RuleEffect, readonly CompiledRule[]>>;
  /** Rules that would allow something if a user had accepted them. */
  readonly unaccepted: readonly CompiledRule[];
  readonly warnings: readonly string[];
  /** An invalid rule file, whose prohibitions are not all known; undefined if all files are valid. */
  readonly broken: string | undefined;
}

/** The shared rule set of all books without rules. */
const noRules: RuleSet = {
  rules: [],
  byEffect: { allow: [], ask: [], deny: [] },
  unaccepted: [],
  warnings: [],
  broken: undefined,
};

/** The rules from all sources, each compiled once. */
export class RuleBook {
  readonly #parts: RuleBookParts;
  readonly #files: readonly { readonly source: RuleSource; readonly file: RuleFile }[];
  readonly #accepted: AcceptedRules;
  #memory: readonly CompiledRule[];
  #seen: readonly (RuleFileContent | Acceptance | readonly CompiledRule[])[] = [];
  #set = noRules;

  constructor(parts: RuleBookParts) {
    this.#parts = parts;
    this.#memory = parts.given.map((rule) => this.#compile({ ...rule, source: 'command-line' }));
    const { project, user, accepted } = parts.files;
    this.#accepted = new AcceptedRules(accepted);
    this.#files = [
      ...(project === undefined
        ? []
        : [{ source: 'project', file: new RuleFile(project, parts.bases.project) } as const]),
      ...(user === undefined ? [] : [{ source: 'user', file: new RuleFile(user, undefined) } as const]),
    ];
  }

  /** The files with rules, and the one with accepted rules. */
  get paths(): readonly string[] {
    const { path } = this.#accepted;
    return [...this.#files.map(({ file }) => file.path), ...(path === undefined ? [] : [path])];
  }

  /** The current rules: a different object after each change, including changes of a file. */
  current(): RuleSet {
    const contents = this.#files.map(({ file }) => file.read());
    // Only rules of a project that allow something need acceptance.
    const isNeeded = contents.some(
      ({ rules }, at) => this.#files[at]?.source === 'project' && rules.some(({ effect }) => effect === 'allow'),
    );
    const accepted = isNeeded ? this.#accepted.read() : nothingAccepted;
    const seen = [this.#memory, accepted, ...contents];
    if (seen.length !== this.#seen.length || seen.some((each, at) => each !== this.#seen[at])) {
      this.#seen = seen;
      const { warnings: reported } = this.#set;
      this.#set = this.#compileAll(contents, accepted);
      for (const warning of new Set(this.#set.warnings))
        if (!reported.includes(warning)) this.#parts.onWarning(warning);
    }
    return this.#set;
  }

  /** Adds a rule, or gives a known one another message. Rejects with `invalid-input` if the rule or the file is invalid. */
  async add(given: GivenRule, source: RuleSource): Promise<PermissionRule> {
    const file = this.#fileOf(source);
    const rule: PermissionRule = { ...given, text: given.text.trim(), source, ...(file && { file: file.path }) };
    const compiled = this.#compile(rule);
    // The first of several has effect. One that is held is no longer in its file.
    const known = this.current().rules.find((each) => isSame(each, rule) && each.isHeld !== true);
    if (known && (rule.message === undefined || known.message === rule.message)) return this.accept(known);
    await this.#write(rule, compiled);
    return rule;
  }

  /** Accepts an allow rule of the project. Other rules are in force already. Rejects if that cannot be stored. */
  async accept({ isAccepted, ...rule }: PermissionRule): Promise<PermissionRule> {
    if (isAccepted === false && rule.file !== undefined) await this.#accepted.accept(rule.file, rule.text);
    return rule;
  }

  /** Removes a rule and its acceptance, because the next version of the project may add the rule again. */
  async remove(rule: PermissionRule): Promise<void> {
    const file = this.#fileOf(rule.source);
    if (!file) {
      this.#memory = this.#memory.filter((each) => !isSame(each.rule, rule));
      return;
    }
    await file.remove(rule);
    if (needsAcceptance(rule)) await this.#accepted.forget(file.path, rule.text);
  }

  /** Writes a rule. The acceptance is written first, so that a concurrent reader does not report the rule as unaccepted. */
  async #write(rule: PermissionRule, compiled: CompiledRule): Promise<void> {
    const file = this.#fileOf(rule.source);
    if (!file) {
      const known = this.#memory.findIndex((each) => isSame(each.rule, rule));
      this.#memory = known < 0 ? [...this.#memory, compiled] : this.#memory.with(known, compiled);
      return;
    }
    if (!needsAcceptance(rule)) return file.add(rule);
    const wasAccepted = this.#accepted.has(file.path, rule.text);
    await this.#accepted.accept(file.path, rule.text);
    try {
      await file.add(rule);
    } catch (error) {
      if (!wasAccepted) await this.#accepted.forget(file.path, rule.text);
      throw error;
    }
  }

  /** The file for a source; undefined for rules that are only in memory. */
  #fileOf(source: RuleSource): RuleFile | undefined {
    if (source === 'command-line' || source === 'session') return undefined;
    const found = this.#files.find((each) => each.source === source);
    if (!found)
      throw new TurnwireError(
        'invalid-input',
        `There is no rule file of the ${source}; remember the rule for the session instead`,
      );
    return found.file;
  }

  #compile(rule: PermissionRule): CompiledRule {
    return compileRule(rule, this.#parts.bases);
  }

  #compileAll(contents: readonly RuleFileContent[], { warning }: Acceptance): RuleSet {
    const isEmpty = contents.every(({ rules, held, warnings }) => !rules.length && !held.length && !warnings.length);
    if (isEmpty && this.#memory.length === 0) return noRules;
    // Many rules start in the same folder.
    const bases = { ...this.#parts.bases, realPath: memoized(realPath) };
    const read = contents.map((content, at) => this.#compileFile(content, at, bases));
    const all = [...this.#memory, ...read.flatMap(({ rules }) => rules)];
    const unaccepted = all.filter(({ rule }) => rule.isAccepted === false);
    const of = (effect: RuleEffect): readonly CompiledRule[] =>
      all.filter(({ rule }) => rule.effect === effect && rule.isAccepted !== false);
    const broken = this.#files[read.findIndex(({ warnings }) => warnings.length > 0)]?.file.path;
    return {
      rules: all.map(({ rule }) => rule),
      byEffect: { allow: of('allow'), ask: of('ask'), deny: of('deny') },
      unaccepted,
      warnings: [
        ...read.flatMap(({ warnings }) => warnings),
        ...(warning === undefined ? [] : [warning]),
        ...this.#unacceptedWarning(unaccepted),
      ],
      broken,
    };
  }

  /** Compiles a file. One invalid rule makes the whole file invalid, because it may be a prohibition. */
  #compileFile(
    content: RuleFileContent,
    at: number,
    bases: PathBases,
  ): { readonly rules: readonly CompiledRule[]; readonly warnings: readonly string[] } {
    const rules: CompiledRule[] = [];
    const warnings = [...content.warnings];
    const { source, file } = this.#files[at] ?? {};
    for (const { line, ...written } of [...content.rules, ...content.held]) {
      const { isHeld } = written;
      const rule = { ...written, source: source ?? 'user', ...(file && { file: file.path }) };
      try {
        rules.push(compileRule(this.#known(rule), bases));
      } catch (error) {
        // An invalid rule was never in force.
        if (isHeld) continue;
        warnings.push(
          `${file?.path}, line ${line}: ${(error as Error).message}; until it is fixed, all actions are asked about`,
        );
      }
    }
    const isStrict = warnings.length > 0 || !this.#parts.filesAllow;
    return { rules: isStrict ? rules.filter(({ rule }) => rule.effect !== 'allow') : rules, warnings };
  }

  /** A rule of a file, marked if it must be accepted first. */
  #known(rule: PermissionRule): PermissionRule {
    if (!needsAcceptance(rule) || rule.file === undefined) return rule;
    return this.#accepted.has(rule.file, rule.text) ? rule : { ...rule, isAccepted: false };
  }

  #unacceptedWarning(rules: readonly CompiledRule[]): readonly string[] {
    const [first] = rules;
    if (!first) return [];
    const isOne = rules.length === 1;
    const what = isOne ? '1 rule that allows something does' : `${rules.length} rules that allow something do`;
    const wayOut =
      this.#accepted.path === undefined
        ? ', and this client does not store accepted rules'
        : `: turnwire permissions list shows ${isOne ? 'it' : 'them'}, turnwire permissions accept accepts`;
    return [`${first.rule.file}: ${what} not count until you accept ${isOne ? 'it' : 'them'}${wayOut}`];
  }
}

/** Whether a rule needs acceptance: the author of a project may forbid calls but not allow them. */
function needsAcceptance({ source, effect }: PermissionRule): boolean {
  return source === 'project' && effect === 'allow';
}

function isSame(one: PermissionRule, other: PermissionRule): boolean {
  return isSameRule(one, other) && one.source === other.source;
}
