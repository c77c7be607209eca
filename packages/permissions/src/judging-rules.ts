import { resolve } from 'node:path';
import { homeFolder } from '@turnwire/machine';
import { Folders } from './folders.ts';
import { judge } from './judge.ts';
import type { PathBases } from './path-pattern.ts';
import type {
  Action,
  Decision,
  GivenRule,
  PermissionLimits,
  PermissionMode,
  PermissionRule,
  PermissionsOptions,
  RuleEffect,
  RuleSource,
} from './permissions.ts';
import { proposedRule } from './proposed-rule.ts';
import { RuleBook, type RuleSet } from './rule-book.ts';

/** The rules and the mode of permissions, and their decisions. */
export abstract class JudgingRules {
  protected readonly options: PermissionsOptions;
  readonly #bases: PathBases;
  readonly #book: RuleBook;
  #mode: PermissionMode;
  #judgedWith: RuleSet | undefined;

  constructor(options: PermissionsOptions) {
    this.options = options;
    this.#mode = options.mode ?? 'default';
    this.#bases = { project: resolve(options.project), home: options.home ?? homeFolder() };
    this.#book = new RuleBook({
      bases: this.#bases,
      given: options.rules ?? [],
      files: options.files ?? {},
      filesAllow: (options.allowing ?? 'all') === 'all',
      onWarning: (message) => options.onWarning?.(message),
    });
    this.#book.current();
  }

  /** Judges pending questions by the rules in force. Called after each change of the rules and of the mode. */
  protected abstract judgeAgain(): void;

  /** The folder of the project, which stands for the folders of a session that has named none. */
  protected get project(): string {
    return this.#bases.project;
  }

  get mode(): PermissionMode {
    return this.#mode;
  }

  get rules(): readonly PermissionRule[] {
    return this.#book.current().rules;
  }

  get warnings(): readonly string[] {
    return this.#book.current().warnings;
  }

  get limits(): PermissionLimits | undefined {
    const { otherwise, allowing = 'all' } = this.options;
    const rules = this.rules.filter(({ source }) => source === 'command-line' || source === 'session');
    const isLimiting =
      this.#mode === 'plan' ||
      allowing !== 'all' ||
      otherwise === 'ask' ||
      otherwise === 'deny' ||
      rules.some(({ effect }) => effect !== 'allow');
    if (!isLimiting) return undefined;
    return {
      mode: this.#mode,
      rules: rules.map(({ effect, text, message, child }) => ({
        ...{ effect, text },
        ...(message !== undefined && { message }),
        ...(child !== undefined && { child }),
      })),
      ...(otherwise !== undefined && { otherwise }),
      ...(allowing !== 'all' && { allowing }),
    };
  }

  setMode(mode: PermissionMode): void {
    this.#mode = mode;
    this.#changed();
  }

  async addRule(
    effect: RuleEffect,
    written: string | Omit<GivenRule, 'effect'>,
    source: RuleSource,
  ): Promise<PermissionRule> {
    const rule = await this.#book.add(
      { effect, ...(typeof written === 'string' ? { text: written } : written) },
      source,
    );
    this.#changed();
    return rule;
  }

  async acceptRule(rule: PermissionRule): Promise<PermissionRule> {
    const accepted = await this.#book.accept(rule);
    this.#changed();
    return accepted;
  }

  async removeRule(rule: PermissionRule): Promise<void> {
    await this.#book.remove(rule);
    this.#changed();
  }

  judge(action: Action, otherwise: RuleEffect | undefined = this.options.otherwise): Decision {
    const set = this.#book.current();
    const isNew = this.#judgedWith !== undefined && this.#judgedWith !== set;
    this.#judgedWith = set;
    // A file was edited elsewhere: pending questions may be settled now.
    if (isNew) this.judgeAgain();
    const folders = this.foldersOf(action);
    const { allowing } = this.options;
    const { byEffect: rules, unaccepted, broken } = set;
    return judge(action, { mode: this.#mode, rules, unaccepted, folders, allowing, otherwise, broken });
  }

  proposedRule(action: Action): string | undefined {
    return proposedRule(action, { ...this.#bases, guarded: this.#book.paths });
  }

  /** The folders of an action, and the files of rules among them. */
  protected foldersOf({ roots }: Action): Folders {
    return new Folders(roots, this.#book.paths);
  }

  #changed(): void {
    this.#judgedWith = this.#book.current();
    this.judgeAgain();
  }
}
