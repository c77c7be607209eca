import { randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import {
  invalidParams,
  type PermissionOption,
  type RequestPermissionRequest,
  requestCancelled,
  type SessionUpdate,
  type ToolCallContent,
} from '@turnwire/protocol';
import { actionOf } from './action.ts';
import { CallWatch, unasked } from './call-watch.ts';
import { Folders } from './folders.ts';
import { judge } from './judge.ts';
import type { PathBases } from './path-pattern.ts';
import {
  optionOfKind,
  type PermissionContext,
  type PermissionDecision,
  type PermissionPolicy,
} from './permission-policy.ts';
import type {
  Action,
  Answer,
  Decision,
  DecisionRecord,
  HostPreview,
  PermissionMode,
  PermissionRule,
  Permissions,
  PermissionsOptions,
  Question,
  RuleEffect,
  RuleSource,
  UnaskedCall,
} from './permissions.ts';
import { proposedRule } from './proposed-rule.ts';
import { QuestionDesk, type Settlement } from './question-desk.ts';
import { RuleBook, type RuleSet } from './rule-book.ts';
import { TurnAllowances } from './turn-allowances.ts';

/**
 * Permissions for a client: pass `permissions.policy` to the agent, `permissions.allowHostCall` to the host services and updates to
 * `permissions.observe`. Throws `invalid-input` if a given rule cannot be read. A broken rule file does not throw: it allows
 * nothing, and `troubles` and `onTrouble` say so.
 */
export function createPermissions(options: PermissionsOptions): Permissions {
  return new RulePermissions(options);
}

class RulePermissions implements Permissions {
  readonly policy: PermissionPolicy = (request, context) => this.#answer(request, context);
  readonly #options: PermissionsOptions;
  readonly #bases: PathBases;
  readonly #book: RuleBook;
  readonly #desk: QuestionDesk;
  readonly #allowances = new TurnAllowances();
  readonly #watch: CallWatch;
  readonly #roots = new Map<string, readonly string[]>();
  readonly #listeners = new Set<(record: DecisionRecord) => void>();
  #mode: PermissionMode;
  #judgedWith: RuleSet | undefined;

  constructor(options: PermissionsOptions) {
    this.#options = options;
    this.#mode = options.mode ?? 'default';
    this.#bases = { project: resolve(options.project), home: options.home ?? homedir() };
    this.#desk = new QuestionDesk(options.ask);
    this.#watch = new CallWatch(options.commandInTitleOf);
    const given = options.rules ?? [];
    this.#book = new RuleBook({
      bases: this.#bases,
      given,
      files: options.files ?? {},
      onTrouble: (message) => this.#tell(message),
    });
    this.#book.current();
  }

  get mode(): PermissionMode {
    return this.#mode;
  }

  get rules(): readonly PermissionRule[] {
    return this.#book.current().rules;
  }

  get troubles(): readonly string[] {
    return this.#book.current().troubles;
  }

  get pending(): readonly Question[] {
    return this.#desk.pending;
  }

  setMode(mode: PermissionMode): void {
    this.#mode = mode;
    this.#judgeAgain();
  }

  async addRule(effect: RuleEffect, text: string, source: RuleSource): Promise<PermissionRule> {
    const rule = await this.#book.add(effect, text, source);
    this.#judgeAgain();
    return rule;
  }

  async acceptRule(rule: PermissionRule): Promise<PermissionRule> {
    const accepted = await this.#book.accept(rule);
    this.#judgeAgain();
    return accepted;
  }

  async removeRule(rule: PermissionRule): Promise<void> {
    await this.#book.remove(rule);
    this.#judgeAgain();
  }

  judge(action: Action, otherwise: RuleEffect | undefined = this.#options.otherwise): Decision {
    const set = this.#book.current();
    const isNew = this.#judgedWith !== undefined && this.#judgedWith !== set;
    this.#judgedWith = set;
    // A file was edited by somebody else: what waits may be settled now.
    if (isNew && this.#desk.pending.length > 0) this.#judgeAgain();
    const folders = new Folders(action.roots, this.#book.paths);
    return judge(action, { mode: this.#mode, rules: set.byEffect, unaccepted: set.unaccepted, folders, otherwise });
  }

  proposedRule(action: Action): string | undefined {
    return proposedRule(action, { ...this.#bases, guarded: this.#book.paths });
  }

  async allowHostCall(call: Action, signal: AbortSignal, preview?: HostPreview): Promise<void> {
    const action: Action = { ...call, source: 'host' };
    const decision = this.judge(action);
    // What the person saw was a command without the variables that make this one unclear.
    const isSame = decision.effect !== 'deny' && action.unclear === undefined;
    const wasAllowed = isSame && this.#allowances.take(action);
    const settlement = wasAllowed ? alreadyAllowed : await this.#settleHostCall(action, { decision, signal, preview });
    const chosen = await this.#chosen(settlement, action, hostOptions);
    const allowed = chosen?.kind === 'allow_once';
    this.#record(action, settlement, { allowed });
    if (!allowed) throw refusal(settlement);
    this.#watch.noteHostCall(action);
  }

  onDecision(listener: (record: DecisionRecord) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  observe(sessionId: string, update: SessionUpdate): UnaskedCall | undefined {
    const action = this.#watch.observe(sessionId, update, this.#rootsOf(sessionId));
    if (!action || this.#options.asksNobody) return undefined;
    const decision = this.judge(action);
    return decision.effect === 'allow' ? undefined : unasked(action, decision);
  }

  endTurn(sessionId?: string): void {
    this.#desk.withdraw(sessionId);
    this.#allowances.forget(sessionId);
  }

  async #answer(
    request: RequestPermissionRequest,
    { signal, roots, explain }: PermissionContext,
  ): Promise<PermissionDecision> {
    const { sessionId, options } = request;
    if (roots) this.#roots.set(sessionId, roots);
    const toolCall = this.#watch.ask(sessionId, request.toolCall);
    const action = actionOf({ sessionId, toolCall }, this.#rootsOf(sessionId));
    const settlement = await this.#settle(action, this.judge(action), { request, signal });
    const option = await this.#chosen(settlement, action, options);
    const allowed = option !== undefined && isAllowing(option);
    if (allowed) this.#allowances.add(action);
    this.#record(action, settlement, { allowed, option });
    explain?.(reasonOf(settlement, allowed));
    return option;
  }

  async #settleHostCall(
    action: Action,
    { decision, signal, preview }: { decision: Decision; signal: AbortSignal; preview?: HostPreview | undefined },
  ): Promise<Settlement> {
    if (decision.effect !== 'ask' || !this.#options.ask || !preview)
      return this.#settle(action, decision, { request: requestFor(action), signal });
    const content = await preview().catch(() => []);
    // The rules may have changed meanwhile.
    return this.#settle(action, this.judge(action), { request: requestFor(action, content), signal });
  }

  /** What the rules say, or else a person. */
  async #settle(
    action: Action,
    decision: Decision,
    { request, signal }: { readonly request: RequestPermissionRequest; readonly signal: AbortSignal },
  ): Promise<Settlement> {
    if (decision.effect !== 'ask') return { by: 'rules', decision };
    const make = (moot: AbortSignal): Question =>
      new AskedQuestion({ action, request, reason: decision.reason, signal: moot }, () => this.proposedRule(action));
    return this.#desk.wait(make, signal);
  }

  /** The option to answer with; undefined for `cancelled`. */
  async #chosen(
    settlement: Settlement,
    action: Action,
    options: readonly PermissionOption[],
  ): Promise<PermissionDecision> {
    if (settlement.by === 'rules') return optionFor(settlement.decision.effect === 'allow', options);
    if (settlement.by === 'person') return this.#chosenByPerson(settlement.answer, action, options);
    return this.#options.ask || this.#options.unasked === 'cancel' ? undefined : optionFor(false, options);
  }

  async #chosenByPerson(
    answer: Answer,
    action: Action,
    options: readonly PermissionOption[],
  ): Promise<PermissionDecision> {
    const option = options.find(({ optionId }) => optionId === answer?.option.optionId);
    if (!answer || !option || !answer.remember) return option;
    const remembered = await this.#remember(action, isAllowing(option) ? 'allow' : 'deny', answer.remember);
    // We remember it, so the agent need not.
    return remembered ? optionFor(isAllowing(option), options) : option;
  }

  /** An answer counts also if it could not be remembered. */
  async #remember(action: Action, effect: RuleEffect, source: RuleSource): Promise<boolean> {
    const text = this.proposedRule(action);
    if (text === undefined) return false;
    try {
      await this.addRule(effect, text, source);
      return true;
    } catch (error) {
      this.#tell(`The answer counts this once, but the rule ${text} was not remembered: ${(error as Error).message}`);
      return false;
    }
  }

  #judgeAgain(): void {
    this.#judgedWith = this.#book.current();
    this.#desk.judgeAgain((action) => this.judge(action));
  }

  #rootsOf(sessionId: string): readonly string[] {
    return this.#options.rootsOf?.(sessionId) ?? this.#roots.get(sessionId) ?? [this.#bases.project];
  }

  #record(
    action: Action,
    settlement: Settlement,
    { allowed, option }: { allowed: boolean; option?: PermissionDecision },
  ): void {
    const reason = reasonOf(settlement, allowed);
    const record: DecisionRecord = {
      at: Date.now(),
      action,
      allowed,
      by: settlement.by,
      ...(option && { option }),
      reason,
    };
    for (const listener of this.#listeners) {
      try {
        listener(record);
      } catch (error) {
        this.#tell(`A listener for decisions failed: ${(error as Error).message}`);
      }
    }
  }

  #tell(message: string): void {
    this.#options.onTrouble?.(message);
  }
}

/** A question whose proposal is found when somebody looks: of thousands that wait, few are looked at. */
class AskedQuestion implements Question {
  readonly id: string = randomUUID();
  readonly action: Action;
  readonly request: RequestPermissionRequest;
  readonly reason: string;
  readonly signal: AbortSignal;
  readonly #propose: () => string | undefined;
  #proposal: { readonly rule: string | undefined } | undefined;

  constructor(
    { action, request, reason, signal }: Omit<Question, 'id' | 'proposedRule'>,
    propose: () => string | undefined,
  ) {
    this.action = action;
    this.request = request;
    this.reason = reason;
    this.signal = signal;
    this.#propose = propose;
  }

  get proposedRule(): string | undefined {
    return (this.#proposal ??= { rule: this.#propose() }).rule;
  }
}

function isAllowing({ kind }: PermissionOption): boolean {
  return kind === 'allow_once' || kind === 'allow_always';
}

/** By kind, never by id or place: this once if that is offered. */
function optionFor(allowed: boolean, options: readonly PermissionOption[]): PermissionDecision {
  return allowed
    ? optionOfKind(options, 'allow_once', 'allow_always')
    : optionOfKind(options, 'reject_once', 'reject_always');
}

const hostOptions: readonly PermissionOption[] = [
  { optionId: 'allow', name: 'Allow once', kind: 'allow_once' },
  { optionId: 'reject', name: 'Reject', kind: 'reject_once' },
];

const alreadyAllowed: Settlement = {
  by: 'rules',
  decision: { effect: 'allow', reason: 'allowed earlier in this turn, when the agent asked' },
};

/** A request as the agent could have sent it. */
function requestFor(
  { sessionId, toolCallId, kind, command, cwd, paths }: Action,
  content: readonly ToolCallContent[] = [],
): RequestPermissionRequest {
  const title = command ?? `${kind} ${paths.join(', ')}`;
  const known = {
    toolCallId: toolCallId ?? `host-${randomUUID()}`,
    title,
    kind: kind as 'edit',
    status: 'pending',
  } as const;
  const rawInput = command === undefined ? undefined : { command, ...(cwd !== undefined && { cwd }) };
  const toolCall = {
    ...known,
    locations: paths.map((path) => ({ path })),
    ...(rawInput && { rawInput }),
    ...(content.length > 0 && { content }),
  };
  return { sessionId, toolCall, options: hostOptions };
}

function refusal(settlement: Settlement): Error {
  if (settlement.by === 'person') return invalidParams('Permission was refused by the person');
  if (settlement.by === 'rules') return invalidParams(`Permission was refused: ${settlement.decision.reason}`);
  return settlement.reason === 'nobody can be asked'
    ? invalidParams('Permission was refused: nobody can be asked')
    : requestCancelled(`Permission was not given: ${settlement.reason}`);
}

function reasonOf(settlement: Settlement, allowed: boolean): string {
  if (settlement.by === 'rules') return settlement.decision.reason;
  if (settlement.by === 'nobody') return `not allowed: ${settlement.reason}`;
  if (!settlement.answer) return 'cancelled by the person';
  const { remember } = settlement.answer;
  return `${allowed ? 'allowed' : 'denied'} by the person${remember ? `, to be remembered for the ${remember}` : ''}`;
}
