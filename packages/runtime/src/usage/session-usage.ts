import { randomUUID } from 'node:crypto';
import { errorText } from '@turnwire/client/error-text';
import { localDay } from '@turnwire/machine';
import { type CountedUsage, priceOf, type Spending, tokensOf } from './budgets.ts';
import type { Amount, TurnUsage, UsageRecord } from './usage-record.ts';
import { noUsage, plusTokens, withTurn } from './usage-sums.ts';

/** The facts of a session that are recorded with each of its turns. */
export interface UsageFacts extends Pick<TurnUsage, 'tenant' | 'session' | 'agent' | 'model' | 'folder'> {
  /** The agent's id of the session. */
  readonly agentSession: string;
}

/** The session whose turns are counted. */
export interface SessionUsageParts {
  readonly record: UsageRecord;
  readonly facts: () => UsageFacts;
  readonly spending: () => Spending;
  readonly warn: (title: string) => void;
  /** Called after the usage of the turn, and of the others, was read again. */
  readonly onCounted: () => void;
}

/** A turn that is counted. */
interface CountedTurn {
  usage: TurnUsage;
  /** As it is recorded; undefined if it is not. */
  recorded: TurnUsage | undefined;
  readonly agentSession: string;
  /** When the agent began to work, of the monotonic clock; undefined while it does not. */
  runsSince: number | undefined;
  /** The cost of the agent's session so far, as reported last during the turn. */
  reported: Amount | undefined;
  isQueued: boolean;
}

const written: Promise<void> = Promise.resolve();

/** Counts the usage of the turns of a session, and records it while they run. */
export class SessionUsage {
  readonly #parts: SessionUsageParts;
  /** The turn that runs, or ran last: an agent may report its cost after the turn. */
  #turn: CountedTurn | undefined;
  /** The usage of all other turns, as last read. */
  #others: CountedUsage = { session: noUsage, day: noUsage };
  /** The part of the agent's reported cost that is recorded. The agent reports the cost of the whole session. */
  #recorded: { readonly agentSession: string; readonly amount: number } | undefined;
  /** The last cost that the agent reported, and one from before the first turn. */
  #reported: Amount | undefined;
  #replayed: number | undefined;
  #hasWarned = false;
  #hasWarnedOfCost = false;
  /** Resolves when everything counted so far is recorded. */
  written: Promise<void> = written;

  constructor(parts: SessionUsageParts) {
    this.#parts = parts;
  }

  /** The usage up to now. */
  get counted(): CountedUsage {
    const { session, day } = this.#others;
    if (!this.#turn) return this.#withReported({ session, day });
    const usage = withTime(this.#turn);
    return this.#withReported({ session: withTurn(session, usage, 1), day: withTurn(day, usage, 1) });
  }

  /** Whether the turn is counted: the agent has begun to work on it. */
  get hasBegun(): boolean {
    return this.#turn !== undefined;
  }

  /** The day to which the turn counts. */
  get today(): string {
    return this.#turn?.usage.day ?? localDay(new Date());
  }

  /** Reads the usage of this session and of others. */
  refresh(): Promise<void> {
    this.#queue(() => this.#read());
    return this.written;
  }

  /** Forgets the turn before: the next one counts by itself. */
  next(): void {
    this.#turn = undefined;
  }

  /** The agent begins to work on the turn, or continues. */
  begin(): void {
    const { agentSession, ...facts } = this.#parts.facts();
    const now = new Date();
    this.#turn ??= {
      usage: {
        ...{ id: randomUUID(), ...facts, at: now.getTime(), day: localDay(now) },
        ...{ milliseconds: 0, tokens: null, cost: null, reported: null },
      },
      ...{ recorded: undefined, agentSession, runsSince: undefined, reported: undefined, isQueued: false },
    };
    this.#turn.runsSince = performance.now();
    this.#write(this.#turn);
  }

  /** The agent has reported the cost of its session so far. */
  report(cost: Amount, isReplay: boolean): void {
    if (isReplay || !this.#turn) this.#replayed = cost.amount;
    if (isReplay) return;
    this.#reported = cost;
    if (!this.#turn) return;
    this.#turn.reported = cost;
    this.#write(this.#turn);
  }

  /** The agent has stopped working on the turn. @param usage of its answer */
  end(usage: unknown): void {
    const turn = this.#turn;
    if (!turn) return;
    const tokens = tokensOf(usage);
    turn.usage = withTime(turn);
    turn.runsSince = undefined;
    if (tokens) turn.usage = { ...turn.usage, tokens: plusTokens(turn.usage.tokens ?? noUsage.tokens, tokens) };
    this.#write(turn);
    this.#warnOfCost(turn);
  }

  /** Warns once about a limit of the cost without effect: the agent reports no cost. */
  #warnOfCost({ usage, reported }: CountedTurn): void {
    const { budgets = [], currency = defaultCurrency } = this.#parts.spending();
    const most = budgets.find(({ cost }) => cost !== undefined)?.cost;
    if (most === undefined || this.#hasWarnedOfCost) return;
    const known = reported ?? priced(usage, this.#parts.spending());
    if (known?.currency === currency) return;
    this.#hasWarnedOfCost = true;
    const what = known ? `the agent reports its cost in ${known.currency}` : 'the agent reports no cost';
    this.#parts.warn(`${what}, so the limit of ${most} ${known ? `${currency} ` : ''}has no effect`);
  }

  /** Records a turn as it is when the records before it are written. */
  #write(turn: CountedTurn): void {
    if (turn.isQueued) return;
    turn.isQueued = true;
    this.#queue(async () => {
      turn.isQueued = false;
      const { record, spending, onCounted } = this.#parts;
      await this.#readRecorded(turn.agentSession);
      this.#addCost(turn);
      turn.usage = withTime(turn);
      if (turn.runsSince !== undefined) turn.runsSince = performance.now();
      const { usage } = turn;
      await record.recordUsage(usage);
      turn.recorded = usage;
      if (turn !== this.#turn || !spending().budgets?.length) return;
      await this.#read();
      onCounted();
    });
  }

  /** Does work with the record, in order. Without a record the session continues. */
  #queue(work: () => Promise<void>): void {
    this.written = this.written.then(work).catch((error: unknown) => {
      if (!this.#hasWarned) this.#parts.warn(`The usage of this session cannot be recorded: ${errorText(error)}`);
      this.#hasWarned = true;
    });
  }

  async #read(): Promise<void> {
    const { record, facts } = this.#parts;
    const { tenant, session } = facts();
    const own = this.#turn?.recorded;
    const [[ofSession = noUsage], [ofDay = noUsage]] = await Promise.all([
      record.usage({ tenant, session }),
      record.usage({ tenant, since: this.today }),
    ]);
    this.#others = own
      ? { session: withTurn(ofSession, own, -1), day: withTurn(ofDay, own, -1) }
      : { session: ofSession, day: ofDay };
  }

  /** Adds the new part of the reported cost to a turn. */
  #addCost(turn: CountedTurn): void {
    const { reported, agentSession } = turn;
    if (!reported) {
      const cost = priced(turn.usage, this.#parts.spending());
      if (cost) turn.usage = { ...turn.usage, cost };
      return;
    }
    const { amount, currency } = reported;
    const before = this.#recorded?.amount ?? 0;
    // An agent that has restarted may count from 0 again.
    const spent = amount < before ? amount : amount - before;
    const own = turn.usage.cost?.currency === currency ? turn.usage.cost.amount : 0;
    turn.usage = { ...turn.usage, cost: { amount: own + spent, currency }, reported: { agentSession, amount } };
    this.#recorded = { agentSession, amount };
  }

  /** Reads the part of the agent's cost that an earlier process has recorded. */
  async #readRecorded(agentSession: string): Promise<void> {
    if (this.#recorded?.agentSession === agentSession) return;
    const amount = await this.#parts.record.lastReported(this.#parts.facts().tenant, agentSession);
    this.#recorded = { agentSession, amount: amount ?? this.#replayed ?? 0 };
  }

  /** The cost that the agent reports for its session counts at once, also what earlier processes spent. */
  #withReported({ session, day }: CountedUsage): CountedUsage {
    if (!this.#reported) return { session, day };
    const { amount, currency } = this.#reported;
    const costs = { ...session.costs, [currency]: Math.max(amount, session.costs[currency] ?? 0) };
    return { session: { ...session, costs }, day };
  }
}

/** The currency of limits and prices that name none. */
export const defaultCurrency = 'USD';

/** The cost by the prices of the configuration. */
function priced({ model, tokens }: TurnUsage, { prices = {}, currency = defaultCurrency }: Spending): Amount | null {
  const price = model !== null && Object.hasOwn(prices, model) ? prices[model] : undefined;
  return price && tokens ? { amount: priceOf(tokens, price), currency } : null;
}

function withTime({ usage, runsSince }: CountedTurn): TurnUsage {
  if (runsSince === undefined) return usage;
  return { ...usage, milliseconds: usage.milliseconds + Math.round(performance.now() - runsSince) };
}
