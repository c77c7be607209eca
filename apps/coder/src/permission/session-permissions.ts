import { parse } from 'node:path';
import type { Turn } from '@turnwire/agent';
import { actionOf, createPermissions, rulesFiles, secretPlaces } from '@turnwire/permissions';
import type { Action, Decision, PermissionRule, Permissions, RuleEffect } from '@turnwire/permissions';
import { commandShell, isInside, OwnFolders, ownFoldersReason } from '@turnwire/machine';
import { type AskingChild, type ToolCallUpdate, TurnwireError, turnwireMeta } from '@turnwire/protocol';
import type { Environment } from '../config/environment.ts';
import type { PreparedCall, Tool, ToolEffect } from '../tools/tool.ts';
import type { ModeId } from '../modes/modes.ts';
import { keptRules, keptRuleChange } from './kept-rules.ts';
import { modeRules, refusedByMode } from './mode-rules.ts';
import { TurnLimit } from './turn-limit.ts';

/** The scope of a rule: this session, all users of this folder, or all folders of this user. */
export type RuleScope = 'session' | 'project' | 'user';

/** Stores an entry with its session: `session.keep`. */
type Keep = (value: unknown) => Promise<void>;

/** The options of a session's permissions. */
export interface SessionPermissionsParts {
  readonly sessionId: string;
  /** The working directory, links resolved: its `.turnwire/permissions.json` counts. */
  readonly cwd: string;
  /** The folders of the session, links resolved. */
  readonly roots: readonly string[];
  /** The stored entries of the session, oldest first. */
  readonly kept?: readonly unknown[] | undefined;
  /** The environment with the folders of configuration and state. Default: this process's environment. */
  readonly env?: Environment | undefined;
}

/**
 * The permissions of one session: rules that allow, ask or deny, from the files of the command `turnwire` and from this session.
 * Rules are matched against a call's facts, never against its title. A changed file applies from the next decision on.
 */
export class SessionPermissions {
  readonly #permissions: Permissions;
  readonly #parts: SessionPermissionsParts;
  readonly #own: OwnFolders;
  readonly #secret: readonly string[];
  /** Folders of secrets outside the folders of the session. */
  readonly #farSecret: readonly string[];
  #reported = new Set<string>();
  #listed: readonly PermissionRule[] = [];
  #limit: TurnLimit | undefined;
  #isGuest = false;
  /** The sub-agent whose calls are judged. Undefined: those of the session itself. */
  #child: AskingChild | undefined;

  private constructor(permissions: Permissions, parts: SessionPermissionsParts) {
    this.#permissions = permissions;
    this.#parts = parts;
    this.#own = new OwnFolders(parts.env);
    this.#secret = secretPlaces(parts.roots);
    this.#farSecret = secretPlaces([parse(parts.cwd).root]).filter(
      (place) => !parts.roots.some((root) => isInside(root, place) || isInside(place, root)),
    );
  }

  /** Never rejects: if a file cannot be read, every call needs permission, with a warning. */
  static async open(parts: SessionPermissionsParts): Promise<SessionPermissions> {
    const permissions = createPermissions({ project: parts.cwd, files: rulesFiles(parts.cwd, parts.env) });
    for (const { effect, text } of keptRules(parts.kept ?? []))
      // It was readable when it was created.
      await permissions.addRule(effect, text, 'session').catch(() => undefined);
    return new SessionPermissions(permissions, parts);
  }

  /** The same rules for the calls of a sub-agent: some rules apply to sub-agents only. */
  ofChild(name: string): SessionPermissions {
    const own = new SessionPermissions(this.#permissions, this.#parts);
    own.#reported = this.#reported;
    own.#limit = this.#limit;
    own.#isGuest = this.#isGuest;
    own.#child = { name };
    return own;
  }

  /** All rules, including those without effect. */
  get rules(): readonly PermissionRule[] {
    return this.#permissions.rules;
  }

  /** Warnings about the rule files, in sentences. */
  get warnings(): readonly string[] {
    return this.#permissions.warnings;
  }

  /** The warnings that were not returned before. */
  newWarnings(): readonly string[] {
    const warnings = this.warnings.filter((warning) => !this.#reported.has(warning));
    for (const warning of warnings) this.#reported.add(warning);
    return warnings;
  }

  /** The rules in the order of their numbers, by which users refer to them. */
  list(): readonly PermissionRule[] {
    this.#listed = this.rules;
    return this.#listed;
  }

  /** The rule that had this number, from 1, when the rules were last listed. Undefined if it does not exist or was removed. */
  listed(number: number): PermissionRule | undefined {
    const listed = this.#listed.length === 0 ? this.list() : this.#listed;
    const wanted = listed[number - 1];
    return wanted && this.rules.find((rule) => isSame(rule, wanted));
  }

  /**
   * The rules' decision about a call.
   * @param otherwise the effect if no rule applies
   */
  judge(tool: Pick<Tool, 'name' | 'kind'>, { facts }: Pick<PreparedCall, 'facts'>, otherwise: RuleEffect): Decision {
    const action = this.#action(tool, facts);
    const decision = this.#permissions.judge(action, otherwise);
    return alsoKinds(tool.kind, action.kind)
      .map((kind) => this.#permissions.judge({ ...action, kind, tool: kind }, 'allow'))
      .reduce((one, other) => (strictness(other) > strictness(one) ? other : one), decision);
  }

  /**
   * Why this turn may not change what outlives the session: rules of the user and the project, and consent to MCP servers. Undefined: it may.
   * The user who starts this agent owns it; a gateway marks prompts of other users.
   */
  get changesForbidden(): string | undefined {
    if (this.#isGuest) return 'only the owner of the server may change this';
    return this.#limit?.isNarrow ? 'the options that this prompt was sent with limit what may be done' : undefined;
  }

  /** Begins a turn: the limits its client sets for this agent apply until the next one. */
  beginTurn(turn: Pick<Turn, 'meta'>): void {
    const { cwd, env } = this.#parts;
    this.#isGuest = turnwireMeta<'session/prompt'>(turn.meta).guest === true;
    this.#limit = TurnLimit.of(turn, { project: cwd, files: rulesFiles(cwd, env) });
  }

  /** Restricts a decision to the client's limits: anything beyond them is asked about. */
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

  /** Whether rules or the client's limits deny actions, or ask about them. */
  get restrict(): boolean {
    return this.#limit !== undefined || this.rules.some(({ effect }) => effect !== 'allow');
  }

  /**
   * The decision about a call of a hired agent, by the facts that it reports: no wider than that about the same call of this agent.
   * @param child the name of the hired agent
   */
  judgeHired(
    toolCall: ToolCallUpdate,
    child: string,
    mode: ModeId,
  ): { readonly action: Action; readonly decision: Decision } {
    const { sessionId, roots } = this.#parts;
    const action: Action = { ...actionOf({ sessionId, toolCall }, roots), child: { name: child } };
    const isFar = !this.holds(action.paths);
    const isLook = /^(?:read|search|think)$/.test(action.kind);
    const effect = isLook && !isFar ? 'looks' : isLook || action.kind === 'fetch' ? 'reaches' : 'changes';
    const byMode = modeRules[mode][effect];
    if (byMode === 'deny') return { action, decision: { effect: 'deny', reason: refusedByMode(mode) } };
    // The tools of this agent change no files elsewhere, so a hired agent needs a question for that.
    const needsQuestion = isFar && (effect === 'changes' || this.isFarSecret(action.paths));
    const decision = this.#permissions.judge(action, needsQuestion ? 'ask' : byMode);
    const objection = decision.effect === 'allow' ? this.#limit?.objection(action, effect) : undefined;
    return { action, decision: objection ? { ...objection, effect: 'ask' } : decision };
  }

  /** As {@link proposedRule}, for an action. */
  proposedRuleFor(action: Action): string | undefined {
    const text = this.#permissions.proposedRule(action);
    return text === undefined || text.length > longestProposal || unshowable.test(text) ? undefined : text;
  }

  /** The narrowest rule that would have allowed a call and is worth remembering. Undefined: none is safe, or none can be shown. */
  proposedRule(tool: Pick<Tool, 'name' | 'kind'>, { facts }: Pick<PreparedCall, 'facts'>): string | undefined {
    return this.proposedRuleFor(this.#action(tool, facts));
  }

  /**
   * Why a file may not be read without asking the user; undefined if the rules allow it. Applies to every access to a file's content
   * outside of its own tool call: search results, links in a prompt, project instructions.
   * @param path absolute
   * @param by the kind of access: a rule may apply to searches only
   */
  forbidsReading(path: string, by: 'read' | 'search' = 'read'): string | undefined {
    if (this.#own.hold(path)) return ownFoldersReason;
    if (this.isFarSecret([path])) return 'it is in a folder of secrets';
    const isSecret = this.#secret.some((place) => isInside(place, path));
    if (!isSecret && !this.#limit && !this.rules.some(({ effect }) => effect !== 'allow')) return undefined;
    const action = this.#action({ name: by, kind: by }, { paths: [path] });
    const { effect, reason } = this.#permissions.judge(action, 'allow');
    return effect === 'allow' ? this.#limit?.objectionByRule(action)?.reason : reason;
  }

  /**
   * Adds a rule. One for the session is stored with it.
   * @throws TurnwireError `invalid-input` for an invalid rule or rule file, and if this turn may not change it; the system's error if the file cannot be written
   */
  async addRule(
    effect: RuleEffect,
    text: string,
    { scope, keep }: { scope: RuleScope; keep: Keep },
  ): Promise<PermissionRule> {
    this.#refuseChange(scope);
    const rule = await this.#permissions.addRule(effect, text, scope);
    if (scope === 'session') await keep(keptRuleChange('added', rule));
    return rule;
  }

  /** Removes a rule. @throws as {@link addRule} does */
  async removeRule(rule: PermissionRule, keep: Keep): Promise<void> {
    this.#refuseChange(rule.source);
    await this.#permissions.removeRule(rule);
    if (rule.source === 'session') await keep(keptRuleChange('removed', rule));
  }

  /** Accepts a rule of the project. Only after a decision of the user. @throws as {@link addRule} does */
  async acceptRule(rule: PermissionRule): Promise<PermissionRule> {
    this.#refuseChange(rule.source);
    return this.#permissions.acceptRule(rule);
  }

  #refuseChange(scope: string): void {
    const why = this.changesForbidden;
    if (scope === 'session' || why === undefined) return;
    throw new TurnwireError('invalid-input', `Rules of the ${scope} cannot be changed: ${why}.`);
  }

  /** Whether all these paths are in the folders of the session. */
  holds(paths: readonly string[]): boolean {
    const { roots } = this.#parts;
    return paths.every((path) => roots.some((root) => isInside(root, path)));
  }

  /** Whether one of these paths is in a folder of secrets outside the folders of the session: no mode allows reading it. */
  isFarSecret(paths: readonly string[]): boolean {
    return paths.some((path) => this.#farSecret.some((place) => isInside(place, path)));
  }

  #action({ name, kind }: Pick<Tool, 'name' | 'kind'>, facts: PreparedCall['facts']): Action {
    const { sessionId, roots } = this.#parts;
    const { paths = [], command, namedCommands, cwd, url } = facts;
    return {
      sessionId,
      roots,
      // A server's description of its tools is not a fact, nor is a kind without its facts: rules allow such a tool by its name.
      kind: isFact(kind, facts) && !name.includes('__') ? kind : 'other',
      tool: name,
      paths,
      source: 'request',
      ...(this.#child && { child: this.#child }),
      ...(command !== undefined && { command, shell: commandShell().reads }),
      ...(namedCommands && { namedCommands }),
      ...(cwd !== undefined && { cwd }),
      ...(url !== undefined && { url }),
    };
  }
}

/** Whether a call has the facts of its kind. */
function isFact(kind: string, { paths = [], command, url }: PreparedCall['facts']): boolean {
  if (kind === 'execute') return command !== undefined;
  if (kind === 'fetch') return url !== undefined;
  return !/^(?:read|search|edit|delete|move)$/.test(kind) || paths.length > 0;
}

/** Further kinds a call is judged as, by rules that ask or deny: editing or moving a file reveals its content. */
function alsoKinds(kind: string, judged: string): readonly string[] {
  const own = kind === judged ? [] : [kind];
  return kind === 'edit' || kind === 'move' ? [...own, 'read'] : own;
}

/** Longer rules are not read before users agree to them. */
const longestProposal = 200;

/** Characters that are invisible, or move their neighbours. */
const unshowable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** A rule that asks is stronger than no rule. */
function strictness({ effect, rule }: Decision): number {
  if (effect === 'ask') return rule ? 2 : 1;
  return effect === 'deny' ? 3 : 0;
}

function isSame(one: PermissionRule, other: PermissionRule): boolean {
  return one.text === other.text && one.effect === other.effect && one.source === other.source;
}
