import { AgentwireError } from '@agentwire/protocol';
import { type CompiledRule, compileRule } from './compiled-rule.ts';
import type { PathBases } from './path-pattern.ts';
import type { GivenRule, PermissionRule, RuleEffect, RuleSource } from './permissions.ts';
import { RuleFile, type RuleFileContent } from './rule-file.ts';

/** What a rule book is made of. */
export interface RuleBookParts {
  readonly bases: PathBases;
  readonly given: readonly GivenRule[];
  readonly files: { readonly project?: string | undefined; readonly user?: string | undefined };
  readonly onTrouble: (message: string) => void;
}

/** All rules at one moment. */
export interface RuleSet {
  readonly rules: readonly PermissionRule[];
  readonly byEffect: Readonly<Record<RuleEffect, readonly CompiledRule[]>>;
  readonly troubles: readonly string[];
}

/** The rules from everywhere, each compiled once. */
export class RuleBook {
  readonly #parts: RuleBookParts;
  readonly #files: readonly { readonly source: RuleSource; readonly file: RuleFile }[];
  #memory: readonly CompiledRule[];
  #seen: readonly (RuleFileContent | readonly CompiledRule[])[] = [];
  #set: RuleSet = { rules: [], byEffect: { allow: [], ask: [], deny: [] }, troubles: [] };
  #told: ReadonlySet<string> = new Set();

  constructor(parts: RuleBookParts) {
    this.#parts = parts;
    this.#memory = parts.given.map((rule) => this.#compile({ ...rule, source: 'command-line' }));
    const { project, user } = parts.files;
    this.#files = [
      ...(project === undefined ? [] : [{ source: 'project', file: new RuleFile(project) } as const]),
      ...(user === undefined ? [] : [{ source: 'user', file: new RuleFile(user) } as const]),
    ];
  }

  /** The files with rules. */
  get paths(): readonly string[] {
    return this.#files.map(({ file }) => file.path);
  }

  /** The rules as they are now: another object after a change, also of a file. */
  current(): RuleSet {
    const contents = this.#files.map(({ file }) => file.read());
    const seen = [this.#memory, ...contents];
    if (seen.length !== this.#seen.length || seen.some((each, at) => each !== this.#seen[at])) {
      this.#seen = seen;
      this.#set = this.#compileAll(contents);
      this.#tell(this.#set.troubles);
    }
    return this.#set;
  }

  /** Rejects with `invalid-input` if the rule or the file cannot be read. */
  async add(effect: RuleEffect, text: string, source: RuleSource): Promise<PermissionRule> {
    const file = this.#fileOf(source);
    const rule: PermissionRule = { text: text.trim(), effect, source, ...(file && { file: file.path }) };
    const compiled = this.#compile(rule);
    const known = this.current().rules.find((each) => isSame(each, rule));
    if (known) return known;
    if (file) await file.add(effect, rule.text);
    else this.#memory = [...this.#memory, compiled];
    return rule;
  }

  async remove(rule: PermissionRule): Promise<void> {
    const file = this.#fileOf(rule.source);
    if (file) await file.remove(rule.effect, rule.text);
    else this.#memory = this.#memory.filter((each) => !isSame(each.rule, rule));
  }

  /** The file for a source; undefined for what is only kept in memory. */
  #fileOf(source: RuleSource): RuleFile | undefined {
    if (source === 'command-line' || source === 'session') return undefined;
    const found = this.#files.find((each) => each.source === source);
    if (!found)
      throw new AgentwireError(
        'invalid-input',
        `There is no file for rules of the ${source}; remember the rule for the session instead`,
      );
    return found.file;
  }

  #compile(rule: PermissionRule): CompiledRule {
    return compileRule(rule, this.#parts.bases);
  }

  #compileAll(contents: readonly RuleFileContent[]): RuleSet {
    const read = contents.map((content, at) => this.#compileFile(content, at));
    const all = [...this.#memory, ...read.flatMap(({ rules }) => rules)];
    const of = (effect: RuleEffect): readonly CompiledRule[] => all.filter(({ rule }) => rule.effect === effect);
    return {
      rules: all.map(({ rule }) => rule),
      byEffect: { allow: of('allow'), ask: of('ask'), deny: of('deny') },
      troubles: read.flatMap(({ troubles }) => troubles),
    };
  }

  /** One rule that cannot be read makes the file one that allows nothing: it may be the one that was to forbid. */
  #compileFile(
    content: RuleFileContent,
    at: number,
  ): { readonly rules: readonly CompiledRule[]; readonly troubles: readonly string[] } {
    const rules: CompiledRule[] = [];
    const troubles = [...content.troubles];
    const { source, file } = this.#files[at] ?? {};
    for (const { effect, text, line } of content.rules) {
      try {
        rules.push(this.#compile({ text, effect, source: source ?? 'user', ...(file && { file: file.path }) }));
      } catch (error) {
        troubles.push(
          `${file?.path}, line ${line}: ${(error as Error).message}; nothing is allowed by this file until then`,
        );
      }
    }
    return { rules: troubles.length > 0 ? rules.filter(({ rule }) => rule.effect !== 'allow') : rules, troubles };
  }

  #tell(troubles: readonly string[]): void {
    const told = this.#told;
    this.#told = new Set(troubles);
    for (const trouble of this.#told) if (!told.has(trouble)) this.#parts.onTrouble(trouble);
  }
}

function isSame(one: PermissionRule, other: PermissionRule): boolean {
  return one.text === other.text && one.effect === other.effect && one.source === other.source;
}
