import {
  type CreateElicitationResponse,
  limitNames,
  type PromptResponse,
  type SessionUpdate,
} from '@turnwire/protocol';
import {
  type Budget,
  type ReachedLimit,
  reachedLimit,
  reachedText,
  type Spending,
  timeLeft,
} from '../usage/budgets.ts';
import { defaultCurrency, SessionUsage, type SessionUsageParts, type UsageFacts } from '../usage/session-usage.ts';
import type { UsageRecord } from '../usage/usage-record.ts';
import type { SessionRecord } from '../store/session-store.ts';
import type { SessionFacts } from './session-facts.ts';
import type { SessionEvents } from './session-events.ts';
import { limitForm, limitChoice } from './limit-form.ts';
import type { AcceptedPrompt, SessionPrompt } from './prompt-queue.ts';
import type { Questions } from './questions.ts';
import type { StoredRecord } from './stored-record.ts';
import type { Subscriber } from './subscriber.ts';
import type { Subscriptions } from './subscriptions.ts';

/** How sessions are counted and limited. */
export interface Metering {
  /** Default: the store of the sessions. */
  readonly record?: UsageRecord;
  /** The limits of a session. Read before each turn. Default: no limits. */
  readonly spending?: ((record: SessionRecord) => Spending) | undefined;
  /** How a session is recorded. Default: by its id, its tenant and the name of its agent. */
  readonly label?: ((record: SessionRecord) => Partial<Pick<UsageFacts, 'tenant' | 'session' | 'agent'>>) | undefined;
}

/** An update of a tool call. */
type CallUpdate = Extract<SessionUpdate, { readonly sessionUpdate: 'tool_call' | 'tool_call_update' }>;

/** The session whose turns are limited. */
export interface SessionBudgetParts extends Pick<SessionUsageParts, 'record'>, Pick<Metering, 'label' | 'spending'> {
  readonly stored: StoredRecord;
  readonly questions: Questions;
  readonly subscriptions: Subscriptions;
  readonly events: Pick<SessionEvents, 'append' | 'warn'>;
}

/** How long a turn that has reached a limit may take to finish its tool calls, in milliseconds. */
const finishing = 30_000;

/** A longer timer would fire at once. */
const longestTimer = 2 ** 31 - 1;

/**
 * Counts the usage of a session, and keeps its turns within the budgets: a turn that reaches a limit is paused, and the next one is not sent, until a
 * user decides to continue.
 */
export class SessionBudget {
  readonly usage: SessionUsage;
  readonly #parts: SessionBudgetParts;
  /** The limits of the running turn that no user has lifted for it. */
  #budgets: readonly Budget[] = [];
  /** The tool calls that are announced or run. */
  #calls: Set<string> | undefined;
  /** Cancels the running turn. Undefined: no turn is at the agent, or it was paused. */
  #pause: (() => void) | undefined;
  /** The limit that the running turn has reached. */
  #reached: ReachedLimit | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(parts: SessionBudgetParts) {
    this.#parts = parts;
    const { record, events, stored, label } = parts;
    this.usage = new SessionUsage({
      record,
      warn: (title) => events.warn(title),
      facts: () => ({ ...usageFacts(stored.current), ...label?.(stored.current) }),
      spending: () => ({ ...this.#spending, budgets: this.#budgets }),
      onCounted: () => this.#check(),
    });
  }

  /** Forgets what the turn before was allowed. */
  next({ prompt }: AcceptedPrompt): void {
    this.usage.next();
    this.#budgets = this.#budgetsOf(prompt);
  }

  /**
   * Waits before a prompt is sent, while a limit is reached and a user has to decide.
   * @returns why it must not be sent; undefined: it may be, or it was cancelled
   */
  async admit({ cancelling: { signal } }: AcceptedPrompt): Promise<string | undefined> {
    if (this.#budgets.length === 0) return undefined;
    await this.usage.refresh();
    for (;;) {
      const reached = this.#reachedNow(false);
      if (!reached || signal.aborted) return undefined;
      if (!(await this.#mayContinue(reached, signal))) return `stopped: ${reachedText(reached, this.#currency)}`;
    }
  }

  /** A prompt is sent. @param pause called once, if the turn reaches a limit, when no tool call runs */
  begin(pause: () => void): void {
    this.#pause = pause;
    this.#reached = undefined;
    this.#calls = undefined;
    this.usage.begin();
    this.#watchTime();
  }

  /** The agent has answered. Returns the message about the limit that the turn has reached; undefined without one. */
  end({ usage }: PromptResponse & { readonly usage?: unknown }): string | undefined {
    clearTimeout(this.#timer);
    this.#pause = undefined;
    this.usage.end(usage);
    return this.#reached && `stopped: ${reachedText(this.#reached, this.#currency)}`;
  }

  /** Reads an update of the agent. */
  update(update: SessionUpdate, isReplay: boolean): void {
    if (update.sessionUpdate === 'usage_update' && update.cost) {
      this.usage.report(update.cost, isReplay);
      this.#check();
    } else if (!isReplay && (update.sessionUpdate === 'tool_call' || update.sessionUpdate === 'tool_call_update'))
      this.#called(update);
  }

  #watchTime(): void {
    const left = timeLeft(this.#budgets, this.usage.counted);
    if (left > longestTimer) return;
    this.#timer = setTimeout(
      () => {
        this.#check();
        if (!this.#reached) this.#watchTime();
      },
      Math.max(left, 1),
    );
  }

  get #spending(): Spending {
    const { spending, stored } = this.#parts;
    return spending?.(stored.current) ?? {};
  }

  get #currency(): string {
    return this.#spending.currency ?? defaultCurrency;
  }

  /** A call that the agent has announced is not cut off: it may run any moment. */
  #called({ sessionUpdate, toolCallId, ...update }: CallUpdate): void {
    const status = update.status ?? (sessionUpdate === 'tool_call' ? 'pending' : undefined);
    if (status === undefined) return;
    if (status === 'pending' || status === 'in_progress') (this.#calls ??= new Set()).add(toolCallId);
    else if (this.#calls?.delete(toolCallId) && this.#reached && this.#calls.size === 0) this.#pauseNow();
  }

  #reachedNow(isRunning: boolean): ReachedLimit | undefined {
    const { counted, hasBegun } = this.usage;
    return reachedLimit(this.#budgets, counted, { currency: this.#currency, isRunning, hasBegun });
  }

  #check(): void {
    if (!this.#pause || this.#reached) return;
    this.#reached = this.#reachedNow(true);
    if (!this.#reached) return;
    if (!this.#calls?.size) return this.#pauseNow();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#pauseNow(), finishing);
  }

  #pauseNow(): void {
    const pause = this.#pause;
    this.#pause = undefined;
    pause?.();
  }

  /** The limits of a prompt. Its own limit of the cost takes the place of the configured one if it is the owner's. */
  #budgetsOf({ limits, subscriber }: SessionPrompt): readonly Budget[] {
    const { budgets = [] } = this.#spending;
    const cost = limits?.cost;
    if (cost === undefined) return budgets.map((each) => this.#raised(each));
    const others = budgets.map((each) =>
      subscriber.isOwner && each.per === 'session' && !each.isFixed ? { ...each, cost: undefined } : each,
    );
    return [...others.map((each) => this.#raised(each)), this.#raisedOwn({ per: 'session', cost })];
  }

  /** The limit of a prompt as a user has raised it, unless the prompt has a lower one than the limit from which it was raised. */
  #raisedOwn(budget: Budget & { readonly cost: number }): Budget {
    const from = this.#parts.stored.facts.raisedLimits?.session?.from?.cost ?? 0;
    return budget.cost < from ? budget : this.#raised(budget);
  }

  /** A limit as a user has raised it for this session. */
  #raised(budget: Budget): Budget {
    const raised = this.#parts.stored.facts.raisedLimits?.[budget.per];
    if (!raised || budget.isFixed || (budget.per === 'day' && raised.day !== this.usage.today)) return budget;
    const higher = limitNames.filter((name) => (raised[name] ?? 0) > (budget[name] ?? Infinity));
    return { ...budget, ...Object.fromEntries(higher.map((name) => [name, raised[name]])) };
  }

  /** Asks the users that may decide, if one is present. */
  async #mayContinue(reached: ReachedLimit, signal: AbortSignal): Promise<boolean> {
    const { questions, subscriptions, stored } = this.#parts;
    if (reached.budget.isFixed || !subscriptions.subscribers.some(decides)) return false;
    const { id, cwd, additionalDirectories } = stored.current;
    const text = reachedText(reached, this.#currency);
    const form = limitForm(reached, { sessionId: id, text, currency: this.#currency });
    const answered = await questions.ask<CreateElicitationResponse | undefined>({
      askOf: async ({ elicitation }, called) =>
        elicitation?.form?.(form, { roots: [cwd, ...additionalDirectories], signal: called }),
      concerns: decides,
      fits: decides,
      signal,
    });
    const choice = limitChoice(answered?.answer, reached);
    if (choice === undefined) return false;
    if (choice === 'once') this.#lift(reached);
    else this.#raise(reached, choice);
    const title = choice === 'once' ? `Continued once: ${text}` : `Continued with a limit of ${choice}: ${text}`;
    this.#parts.events.append({ at: Date.now(), type: 'remark', severity: 'info', title });
    return true;
  }

  /** Removes a limit for the rest of the turn. */
  #lift({ budget, limit }: ReachedLimit): void {
    this.#budgets = this.#budgets.map((each) => (each === budget ? { ...each, [limit]: undefined } : each));
  }

  #raise({ budget, limit, most: reached }: ReachedLimit, most: number): void {
    const { stored } = this.#parts;
    const { raisedLimits } = stored.facts;
    const { today } = this.usage;
    const before = raisedLimits?.[budget.per];
    const kept = budget.per === 'day' && before?.day !== today ? undefined : before;
    // A limit that is raised again was raised from its first value.
    const from = { ...kept?.from, ...(kept?.[limit] !== reached && { [limit]: reached }) };
    const raised = { ...kept, ...(budget.per === 'day' && { day: today }), [limit]: most, from };
    stored.note({ raisedLimits: { ...raisedLimits, [budget.per]: raised } });
    this.#budgets = this.#budgets.map((each) => (each === budget ? { ...each, [limit]: most } : each));
  }
}

/** Whether a user may decide to exceed a limit. */
function decides({ role, isOwner, decidesLimits, elicitation }: Subscriber): boolean {
  return role === 'control' && isOwner && decidesLimits === true && elicitation?.form !== undefined;
}

/** The facts of a session as its record has them. */
function usageFacts({ id, tenant, agent, cwd, facts }: SessionRecord): UsageFacts {
  const { agentSessionId = '', configOptions } = facts as SessionFacts;
  const model = configOptions?.find((option) => option.category === 'model' || option.id === 'model')?.currentValue;
  return {
    ...{ tenant, session: id, agent, folder: cwd },
    // Databases cannot store NUL in texts.
    model: typeof model === 'string' ? model.replaceAll('\0', '') : null,
    agentSession: agentSessionId.replaceAll('\0', ''),
  };
}
