import type { Turn } from '@turnwire/agent';
import { createPermissions, secretPlaces } from '@turnwire/permissions';
import type { Action, Decision, PermissionRule, Permissions, RuleEffect } from '@turnwire/permissions';
import { commandShell, isInside, OwnFolders, ownFoldersReason } from '@turnwire/machine';
import type { Environment } from '../config/environment.ts';
import type { PreparedCall, Tool, ToolEffect } from '../tools/tool.ts';
import { keptRules, keptRuleChange } from './kept-rules.ts';
import { ruleFiles } from './rule-files.ts';
import { TurnLimit } from './turn-limit.ts';

/** Where a rule is put: it holds for this session, for whoever works in this folder, or in all folders of this user. */
export type RulePlace = 'session' | 'project' | 'user';

/** What stores something with its session: `session.keep`. */
type Keep = (value: unknown) => Promise<void>;

/** What permissions of a session are made of. */
export interface SessionPermissionsParts {
  readonly sessionId: string;
  /** The working directory, links resolved: its `.turnwire/permissions.json` counts. */
  readonly cwd: string;
  /** The folders of the session, links resolved. */
  readonly roots: readonly string[];
  /** What was stored of the session, oldest first. */
  readonly kept?: readonly unknown[] | undefined;
  /** Says where the folders of configuration and state are. Default: this process's environment. */
  readonly env?: Environment | undefined;
}

/**
 * What one session may do: rules that allow, ask or deny, from the files the command `turnwire` keeps, and those of this session.
 * Rules are matched on what a call is, never on its title. A file edited meanwhile counts from the next decision on.
 */
export class SessionPermissions {
  readonly #permissions: Permissions;
  readonly #parts: SessionPermissionsParts;
  readonly #own: OwnFolders;
  readonly #secret: readonly string[];
  readonly #told = new Set<string>();
  #listed: readonly PermissionRule[] = [];
  #limit: TurnLimit | undefined;

  private constructor(permissions: Permissions, parts: SessionPermissionsParts) {
    this.#permissions = permissions;
    this.#parts = parts;
    this.#own = new OwnFolders(parts.env);
    this.#secret = secretPlaces(parts.roots);
  }

  /** Never rejects: with a file that cannot be understood everything is asked about, and it is told as a warning. */
  static async open(parts: SessionPermissionsParts): Promise<SessionPermissions> {
    const permissions = createPermissions({ project: parts.cwd, files: ruleFiles(parts.cwd, parts.env) });
    for (const { effect, text } of keptRules(parts.kept ?? []))
      // It could be read when it was made.
      await permissions.addRule(effect, text, 'session').catch(() => undefined);
    return new SessionPermissions(permissions, parts);
  }

  /** All rules there are, those that do not count included. */
  get rules(): readonly PermissionRule[] {
    return this.#permissions.rules;
  }

  /** What the user has to be told about the files with rules, in sentences. */
  get warnings(): readonly string[] {
    return this.#permissions.warnings;
  }

  /** The warnings that were not asked for with this before. */
  newWarnings(): readonly string[] {
    const warnings = this.warnings.filter((warning) => !this.#told.has(warning));
    for (const warning of warnings) this.#told.add(warning);
    return warnings;
  }

  /** The rules, for somebody who will name one by its number. */
  list(): readonly PermissionRule[] {
    this.#listed = this.rules;
    return this.#listed;
  }

  /** The rule that had this number, counted from 1, when the rules were last listed. Undefined if there is none, or no longer. */
  listed(number: number): PermissionRule | undefined {
    const listed = this.#listed.length === 0 ? this.list() : this.#listed;
    const wanted = listed[number - 1];
    return wanted && this.rules.find((rule) => isSame(rule, wanted));
  }

  /**
   * What the rules say about a call.
   * @param otherwise what to do about what no rule is about
   */
  judge(tool: Pick<Tool, 'name' | 'kind'>, { facts }: Pick<PreparedCall, 'facts'>, otherwise: RuleEffect): Decision {
    const action = this.#action(tool, facts);
    const decision = this.#permissions.judge(action, otherwise);
    return alsoKinds(tool.kind, action.kind)
      .map((kind) => this.#permissions.judge({ ...action, kind, tool: kind }, 'allow'))
      .reduce((one, other) => (strictness(other) > strictness(one) ? other : one), decision);
  }

  /** A turn begins: what its client lets this agent do by itself counts until the next one. */
  beginTurn(turn: Pick<Turn, 'meta'>): void {
    const { cwd, env } = this.#parts;
    this.#limit = TurnLimit.of(turn, { project: cwd, files: ruleFiles(cwd, env) });
  }

  /** A decision about a call, as far as the client lets it be made here: the client is asked about everything else. */
  withinLimit(
    decision: Decision,
    {
      tool,
      prepared: { facts },
    }: { readonly tool: Pick<Tool, 'name' | 'kind'>; readonly prepared: Pick<PreparedCall, 'facts'> },
    effect: ToolEffect,
  ): Decision {
    if (decision.effect !== 'allow' || !this.#limit) return decision;
    const action = this.#action(tool, facts);
    const also = alsoKinds(tool.kind, action.kind).map((kind) => ({ ...action, kind, tool: kind }));
    const objections = [
      this.#limit.objection(action, effect),
      ...also.map((each) => this.#limit?.objectionByRule(each)),
    ];
    const objection = objections.find((each) => each !== undefined);
    return objection ? { ...objection, effect: 'ask' } : decision;
  }

  /** The narrowest rule that would have allowed a call and is worth remembering. Undefined: none is safe, or none can be shown. */
  proposedRule(tool: Pick<Tool, 'name' | 'kind'>, { facts }: Pick<PreparedCall, 'facts'>): string | undefined {
    const text = this.#permissions.proposedRule(this.#action(tool, facts));
    return text === undefined || text.length > longestProposal || unshowable.test(text) ? undefined : text;
  }

  /**
   * Why a file may not be read without asking the user; undefined: it may, as far as rules go. For every way to a file's content
   * that is no call of its own: results of a search, links in a prompt, instructions of a project.
   * @param path absolute
   * @param by what looks into it: rules can be about searching alone
   */
  forbidsReading(path: string, by: 'read' | 'search' = 'read'): string | undefined {
    if (this.#own.hold(path)) return ownFoldersReason;
    const isSecret = this.#secret.some((place) => isInside(place, path));
    if (!isSecret && !this.#limit && !this.rules.some(({ effect }) => effect !== 'allow')) return undefined;
    const action = this.#action({ name: by, kind: by }, { paths: [path] });
    const { effect, reason } = this.#permissions.judge(action, 'allow');
    return effect === 'allow' ? this.#limit?.objectionByRule(action)?.reason : reason;
  }

  /**
   * Adds a rule. One for the session is stored with it.
   * @throws TurnwireError `invalid-input` if it cannot be read, or the file cannot be understood; the system's error if it cannot be written
   */
  async addRule(
    effect: RuleEffect,
    text: string,
    { place, keep }: { place: RulePlace; keep: Keep },
  ): Promise<PermissionRule> {
    const rule = await this.#permissions.addRule(effect, text, place);
    if (place === 'session') await keep(keptRuleChange('added', rule));
    return rule;
  }

  /** Takes a rule back, for good. @throws as {@link addRule} does */
  async removeRule(rule: PermissionRule, keep: Keep): Promise<void> {
    await this.#permissions.removeRule(rule);
    if (rule.source === 'session') await keep(keptRuleChange('removed', rule));
  }

  /** Has a rule the project came with count. Only for what the user decided. @throws as {@link addRule} does */
  async acceptRule(rule: PermissionRule): Promise<PermissionRule> {
    return this.#permissions.acceptRule(rule);
  }

  /** Whether all these paths are in the folders of the session. */
  holds(paths: readonly string[]): boolean {
    const { roots } = this.#parts;
    return paths.every((path) => roots.some((root) => isInside(root, path)));
  }

  #action({ name, kind }: Pick<Tool, 'name' | 'kind'>, facts: PreparedCall['facts']): Action {
    const { sessionId, roots } = this.#parts;
    const { paths = [], command, namedCommands, cwd, url } = facts;
    return {
      sessionId,
      roots,
      // What a server says of its tools is no fact, nor is a kind without what makes it one: rules allow such a tool by its name.
      kind: isFact(kind, facts) && !name.includes('__') ? kind : 'other',
      tool: name,
      paths,
      source: 'request',
      ...(command !== undefined && { command, shell: commandShell().reads }),
      ...(namedCommands && { namedCommands }),
      ...(cwd !== undefined && { cwd }),
      ...(url !== undefined && { url }),
    };
  }
}

/** Whether a call touches what its kind is about. */
function isFact(kind: string, { paths = [], command, url }: PreparedCall['facts']): boolean {
  if (kind === 'execute') return command !== undefined;
  if (kind === 'fetch') return url !== undefined;
  return !/^(?:read|search|edit|delete|move)$/.test(kind) || paths.length > 0;
}

/** As what else a call is judged, for rules that ask or deny: to edit or to move a file is a way to see what is in it. */
function alsoKinds(kind: string, judged: string): readonly string[] {
  const own = kind === judged ? [] : [kind];
  return kind === 'edit' || kind === 'move' ? [...own, 'read'] : own;
}

/** Longer ones are not read before they are agreed to. */
const longestProposal = 200;

/** Characters that are not there to the eye, or move what stands beside them. */
const unshowable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** A rule that asks says more than that there is none. */
function strictness({ effect, rule }: Decision): number {
  if (effect === 'ask') return rule ? 2 : 1;
  return effect === 'deny' ? 3 : 0;
}

function isSame(one: PermissionRule, other: PermissionRule): boolean {
  return one.text === other.text && one.effect === other.effect && one.source === other.source;
}
