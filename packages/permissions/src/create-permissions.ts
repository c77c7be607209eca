import { randomUUID } from 'node:crypto';
import {
  type ConfinedRun,
  invalidParams,
  type PermissionContext,
  type PermissionOption,
  type RequestPermissionRequest,
  requestCancelled,
  type SessionUpdate,
} from '@turnwire/protocol';
import { actionOf } from './action.ts';
import { runFileOperations } from '@turnwire/machine';
import { CallWatch, unasked } from './call-watch.ts';
import { operationSteps } from './file-operations.ts';
import { hostOptions, hostRequest } from './host-request.ts';
import { JudgingRules } from './judging-rules.ts';
import { once } from './once.ts';
import type {
  Action,
  Answer,
  Decision,
  DecisionRecord,
  HostPreview,
  PermissionMode,
  Permissions,
  PermissionsOptions,
  Question,
  RuleEffect,
  RuleSource,
  UnaskedCall,
} from './permissions.ts';
import { noUserToAsk, QuestionQueue, type QuestionOutcome } from './question-queue.ts';
import { shellLine } from './shell-line.ts';
import { shownDiffs } from './shown-diffs.ts';
import { type Allowed, TurnAllowances } from './turn-allowances.ts';
import { viewQuestion } from './view-question.ts';

/**
 * Permissions for a client: pass `permissions.policy` to the agent, `permissions.allowHostCall` to the host services and updates to
 * `permissions.observe`. Throws `invalid-input` if a rule in the options is invalid. With an invalid rule file every call needs approval,
 * and `warnings` and `onWarning` report the reason.
 */
export function createPermissions(options: PermissionsOptions): Permissions {
  return new RulePermissions(options);
}

class RulePermissions extends JudgingRules implements Permissions {
  readonly policy: Permissions['policy'] = (request, context) => this.#answer(request, context);
  readonly #questions: QuestionQueue;
  readonly #allowances = new TurnAllowances();
  readonly #watch: CallWatch;
  /** The folders of each session. */
  #roots: Map<string, readonly string[]> | undefined;
  #listeners: readonly ((record: DecisionRecord) => void)[] = [];

  constructor(options: PermissionsOptions) {
    super(options);
    this.#questions = new QuestionQueue(options.ask);
    this.#watch = new CallWatch(options.commandInTitleOf);
  }

  get pending(): readonly Question[] {
    return this.#questions.pending;
  }

  async allowHostCall(call: Action, signal: AbortSignal, preview?: HostPreview): Promise<ConfinedRun | undefined> {
    const action: Action = { ...call, source: 'host' };
    const decision = this.judge(action);
    const present = preview && once(() => preview().catch(() => []));
    // The user saw the command without the variables that make this one unclear.
    const isSame = decision.effect !== 'deny' && action.unclear === undefined;
    const allowedBefore = isSame ? await this.#takeAllowance(action, present) : 'no';
    const outcome =
      allowedBefore === 'yes'
        ? alreadyAllowed
        : await this.#settleHostCall(action, { signal, preview: present, allowedBefore });
    const chosen = await this.#chosen(outcome, action, hostOptions);
    const allowed = chosen?.kind === 'allow_once';
    this.#record(action, outcome, { allowed });
    if (!allowed) throw refusal(outcome);
    this.#watch.noteHostCall(action);
    return outcome.by === 'rules' && isEdit(outcome.decision, this.mode) ? this.#confinedRun(action) : undefined;
  }

  /** A runner for a line of file operations. It judges each file again once it holds the folder open. */
  #confinedRun({ command, shell, cwd = '/', ...action }: Action): ConfinedRun | undefined {
    const steps = command === undefined ? undefined : operationSteps(shellLine(command, shell));
    const may = (kind: 'read' | 'edit', path: string): boolean =>
      this.judge({ ...action, kind, paths: [path] }).effect === 'allow';
    return (
      steps &&
      ((print, signal) =>
        runFileOperations(steps, {
          cwd,
          mayRead: (real) => may('read', real),
          mayChange: (real) => may('edit', real),
          print,
          signal,
        }))
    );
  }

  onDecision(listener: (record: DecisionRecord) => void): () => void {
    this.#listeners = [...this.#listeners.filter((each) => each !== listener), listener];
    return () => void (this.#listeners = this.#listeners.filter((each) => each !== listener));
  }

  observe(sessionId: string, update: SessionUpdate): UnaskedCall | undefined {
    const action = this.#watch.observe(sessionId, update, (id) => this.#rootsOf(id));
    if (!action || this.options.asksNobody) return undefined;
    const decision = this.judge(action);
    return decision.effect === 'allow' ? undefined : unasked(action, decision);
  }

  endTurn(sessionId?: string): void {
    this.#questions.withdraw(sessionId);
    this.#allowances.forget(sessionId);
  }

  async #answer(
    request: RequestPermissionRequest,
    { signal, roots, child, ...context }: PermissionContext,
  ): Promise<PermissionOption | undefined> {
    const { sessionId, options } = request;
    if (roots) (this.#roots ??= new Map()).set(sessionId, roots);
    const toolCall = this.#watch.ask(sessionId, request.toolCall);
    const action = { ...actionOf({ sessionId, toolCall }, this.#rootsOf(sessionId)), ...(child && { child }) };
    const outcome = await this.#settle(action, this.judge(action), { request, signal });
    const option = await this.#chosen(outcome, action, options);
    const allowed = option !== undefined && isAllowing(option);
    // A user allowed only the text that they saw, but a rule allows any text. A command that the mode allows is judged again when the
    // client runs it, because its paths may lead elsewhere by then.
    const isSettled = action.command === undefined || outcome.by !== 'rules' || !isEdit(outcome.decision, this.mode);
    if (allowed && isSettled)
      this.#allowances.add(action, outcome.by === 'user' ? shownDiffs(request, action) : undefined);
    this.#record(action, outcome, { allowed, option });
    report(outcome, allowed, context);
    return option;
  }

  /** Whether a user allowed this before. The preview of a write is only needed if it may be the text that the user saw. */
  async #takeAllowance(action: Action, preview: HostPreview | undefined): Promise<Allowed> {
    const allowed = this.#allowances.take(action);
    if (allowed !== 'other-text' || !preview) return allowed;
    const write = (await preview()).find((each) => each.type === 'diff');
    return write && 'newText' in write ? this.#allowances.take(action, write) : allowed;
  }

  async #settleHostCall(action: Action, { signal, preview, allowedBefore }: HostAsking): Promise<QuestionOutcome> {
    const isAsked = this.judge(action).effect === 'ask' && this.options.ask !== undefined;
    const content = isAsked && preview ? await preview() : [];
    // The rules may have changed in the meantime.
    const decision = this.judge(action);
    const addition = additions[allowedBefore];
    const reason = addition === undefined ? decision.reason : `${decision.reason}; ${addition}`;
    return this.#settle(action, { ...decision, reason }, { request: hostRequest(action, content), signal });
  }

  /** Decides by the rules, or else asks the user. */
  async #settle(
    action: Action,
    decision: Decision,
    { request, signal }: { readonly request: RequestPermissionRequest; readonly signal: AbortSignal },
  ): Promise<QuestionOutcome> {
    if (decision.effect !== 'ask') return { by: 'rules', decision };
    const parts = { action, request, reason: decision.reason };
    // On demand: of thousands of pending questions, few are displayed.
    const proposed = once(() => this.proposedRule(action));
    const viewed = once(() => {
      return viewQuestion({ ...parts, proposedRule: proposed(), folders: this.foldersOf(action) });
    });
    const make = (withdrawal: AbortSignal): Question => ({
      ...{ ...parts, id: randomUUID(), signal: withdrawal },
      get proposedRule() {
        return proposed();
      },
      get view() {
        return viewed();
      },
    });
    return this.#questions.wait(make, signal);
  }

  /** The option to answer with; undefined for `cancelled`. */
  async #chosen(
    outcome: QuestionOutcome,
    action: Action,
    options: readonly PermissionOption[],
  ): Promise<PermissionOption | undefined> {
    if (outcome.by === 'rules') return optionFor(outcome.decision.effect === 'allow', options);
    if (outcome.by === 'user') return this.#chosenByUser(outcome.answer, action, options);
    return this.options.ask || this.options.unasked === 'cancel' ? undefined : optionFor(false, options);
  }

  async #chosenByUser(
    answer: Answer,
    action: Action,
    options: readonly PermissionOption[],
  ): Promise<PermissionOption | undefined> {
    const option = answer?.option;
    if (!answer || !option || !answer.remember) return option;
    const remembered = await this.#remember(action, isAllowing(option) ? 'allow' : 'deny', answer.remember);
    // Remembered here, so the agent need not remember it.
    return remembered ? optionFor(isAllowing(option), options) : option;
  }

  /** Stores an answer as a rule. Returns whether that succeeded; the answer counts in any case. */
  async #remember(action: Action, effect: RuleEffect, source: RuleSource): Promise<boolean> {
    const text = this.proposedRule(action);
    if (text === undefined) return false;
    try {
      await this.addRule(effect, text, source);
      return true;
    } catch (error) {
      this.options.onWarning?.(
        `The answer counts for this call, but the rule ${text} could not be stored: ${(error as Error).message}`,
      );
      return false;
    }
  }

  protected override judgeAgain(): void {
    this.#questions.judgeAgain((action) => this.judge(action));
  }

  #rootsOf(sessionId: string): readonly string[] {
    return this.options.rootsOf?.(sessionId) ?? this.#roots?.get(sessionId) ?? [this.project];
  }

  #record(
    action: Action,
    outcome: QuestionOutcome,
    { allowed, option }: { allowed: boolean; option?: PermissionOption | undefined },
  ): void {
    const reason = reasonOf(outcome, allowed);
    const record: DecisionRecord = {
      at: Date.now(),
      action,
      allowed,
      by: outcome.by,
      ...(option && { option }),
      reason,
    };
    for (const listener of this.#listeners) {
      try {
        listener(record);
      } catch (error) {
        this.options.onWarning?.(`A decision listener failed: ${(error as Error).message}`);
      }
    }
  }
}

/** The context of a question about a host call. */
interface HostAsking {
  readonly signal: AbortSignal;
  readonly preview: HostPreview | undefined;
  readonly allowedBefore: Allowed;
}

const additions: Readonly<Record<Allowed, string | undefined>> = {
  yes: undefined,
  no: undefined,
  'other-text': 'it writes another text than the one shown when changing this file was allowed',
  'unseen-text': 'it writes a text that was not shown when changing this file was allowed',
};

function isEdit({ byMode }: Decision, mode: PermissionMode): boolean {
  return byMode === true && mode === 'acceptEdits';
}

function isAllowing({ kind }: PermissionOption): boolean {
  return kind === 'allow_once' || kind === 'allow_always';
}

/** The option for an answer, chosen by kind and never by id or position. A single-use option comes first. */
function optionFor(allowed: boolean, options: readonly PermissionOption[]): PermissionOption | undefined {
  const [once, always] = allowed
    ? (['allow_once', 'allow_always'] as const)
    : (['reject_once', 'reject_always'] as const);
  return options.find(({ kind }) => kind === once) ?? options.find(({ kind }) => kind === always);
}

const alreadyAllowed: QuestionOutcome = {
  by: 'rules',
  decision: { effect: 'allow', reason: 'allowed earlier in this turn, when the agent asked' },
};

/** Reports the reason of a decision to the user, and its text, if there is one, to the agent. */
function report(
  outcome: QuestionOutcome,
  allowed: boolean,
  { explain, feedback }: Pick<PermissionContext, 'explain' | 'feedback'>,
): void {
  explain?.(reasonOf(outcome, allowed));
  const text = feedbackIn(outcome);
  if (text !== undefined) feedback?.(text);
}

/** The text for the agent: of the user, or of the rule that denies. */
function feedbackIn(outcome: QuestionOutcome): string | undefined {
  if (outcome.by === 'user') return outcome.answer?.feedback;
  return outcome.by === 'rules' ? outcome.decision.rule?.message : undefined;
}

function refusal(outcome: QuestionOutcome): Error {
  const said = feedbackIn(outcome);
  if (outcome.by === 'user')
    return invalidParams(`Permission was refused by the user${said === undefined ? '' : `: ${said}`}`);
  if (outcome.by === 'rules') return invalidParams(`Permission was refused: ${outcome.decision.reason}`);
  return outcome.reason === noUserToAsk
    ? invalidParams('Permission was refused: no user can be asked')
    : requestCancelled(`Permission was not given: ${outcome.reason}`);
}

function reasonOf(outcome: QuestionOutcome, allowed: boolean): string {
  if (outcome.by === 'rules') return outcome.decision.reason;
  if (outcome.by === 'nobody') return `not allowed: ${outcome.reason}`;
  if (!outcome.answer) return 'cancelled by the user';
  const { remember, feedback } = outcome.answer;
  const decided = `${allowed ? 'allowed' : 'denied'} by the user${remember ? `, to be remembered for the ${remember}` : ''}`;
  return feedback === undefined ? decided : `${decided}: ${feedback}`;
}
