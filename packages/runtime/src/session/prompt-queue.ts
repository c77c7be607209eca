import type { Turn } from '@turnwire/client';
import { soon } from '@turnwire/machine/waits';
import type { ContentBlock, PromptResponse, WaitingPrompt } from '@turnwire/protocol';
import { DecisionCount } from './rules-in-force.ts';
import type { Subscriber } from './subscriber.ts';
import { LimitedTurn, type TurnLimits } from './turn-limits.ts';

/** The length of a waiting prompt's text that subscribers see, in UTF-16 units. */
const shownText = 1_000;

/** A prompt of a subscriber. */
export interface SessionPrompt {
  readonly content: readonly ContentBlock[];
  readonly subscriber: Subscriber;
  /** Prompts with the same key run one turn. */
  readonly key?: string | undefined;
  readonly limits?: TurnLimits | undefined;
  /** JSON for the rules of the turn. */
  readonly rules?: unknown;
  /** `_meta` for the agent. */
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
  /** Refuses the prompt if the agent has lost the session. */
  readonly failsIfLost?: boolean | undefined;
  /** No client waits for the answer: the next client that subscribes receives a failure. */
  readonly isUnattended?: boolean | undefined;
  /** Aborts when the client cancels the prompt. */
  readonly signal: AbortSignal;
  /** Called when the prompt was accepted: it runs, or waits for the turns before it. */
  readonly onAccepted?: ((turnId: string) => void) | undefined;
  /** Called instead if a prompt with the same key, perhaps of a connection that broke, is being answered: it has the answer of that one. */
  readonly onJoined?: (() => void) | undefined;
}

/** The prompt whose turn began last. */
export interface LatestPrompt {
  prompt: SessionPrompt | undefined;
}

/** A prompt that was accepted, until its turn is over. */
export class AcceptedPrompt {
  readonly prompt: SessionPrompt;
  readonly turnId: string;
  /** Milliseconds since 1970. */
  readonly acceptedAt: number = Date.now();
  readonly decisions: DecisionCount = new DecisionCount();
  readonly limited: LimitedTurn;
  readonly answer: Promise<PromptResponse>;
  resolve!: (answer: PromptResponse) => void;
  reject!: (error: unknown) => void;
  /** `over`: it will not be sent, and is about to be answered. */
  phase: 'waiting' | 'begun' | 'over' = 'waiting';
  /** An earlier attempt failed, and is in the log with the key of the prompt. */
  isRetry = false;
  /** Aborts when it is cancelled. */
  readonly cancelling: AbortController = new AbortController();
  /** The agent has done something for it, so it cannot be sent again. */
  hasEffect = false;
  /** The turn at the agent; undefined before it was sent. */
  sent: Turn | undefined;
  /** Texts about rejected calls that the agent gets once its answer is there: see `SessionTurns`. Each is sent once. */
  readonly feedback: Set<string> = new Set();
  /** The sum of the usage that the agent has reported with its answers; undefined: it reported none. */
  usage: object | undefined;
  /** The running turn that it is offered to, or that took it in. */
  into: AcceptedPrompt | undefined;

  /** @param onLimit called once, when the turn exceeds a limit */
  constructor(prompt: SessionPrompt, turnId: string, onLimit: (accepted: AcceptedPrompt) => void) {
    this.prompt = prompt;
    this.turnId = turnId;
    this.limited = new LimitedTurn(prompt.limits ?? {}, () => onLimit(this));
    this.answer = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    // A caller that does not wait for the answer need not handle its error.
    this.answer.catch(() => undefined);
  }

  get isCancelled(): boolean {
    return this.cancelling.signal.aborted;
  }
}

/** The empty list, shared by all sessions without waiting prompts. */
export const nothingWaits: readonly WaitingPrompt[] = [];

/** The empty list, shared by all sessions without prompts: most of ten thousand have none. */
const none: readonly AcceptedPrompt[] = [];

/** The prompts of a session that wait or run: its only queue. */
export class PromptQueue {
  readonly #onWaiting: (waiting: readonly WaitingPrompt[]) => void;
  /** The running prompts, then the waiting ones in their order. */
  #prompts = none;
  #whenEmpty: (() => void)[] | undefined;
  #waiting = nothingWaits;
  #isDue = false;

  /** @param onWaiting called with each new list of the waiting prompts, as subscribers see them: once for changes that come together */
  constructor(onWaiting: (waiting: readonly WaitingPrompt[]) => void) {
    this.#onWaiting = onWaiting;
  }

  /** The number of prompts that wait or run. */
  get size(): number {
    return this.#prompts.length;
  }

  /** Resolves when no prompt waits or runs. */
  async emptied(): Promise<void> {
    if (this.size > 0) await new Promise<void>((resolve) => (this.#whenEmpty ??= []).push(resolve));
  }

  /** The prompt with this turn id. */
  get(turnId: string): AcceptedPrompt | undefined {
    return this.#prompts.find((each) => each.turnId === turnId);
  }

  /** The waiting prompts, in the order in which they will run. */
  get notBegun(): readonly AcceptedPrompt[] {
    return this.#prompts.filter(({ phase }) => phase === 'waiting');
  }

  /** The prompt that runs next. */
  get next(): AcceptedPrompt | undefined {
    return this.#prompts.find(({ phase }) => phase === 'waiting');
  }

  /** The prompt with this turn id or key if it waits and is not on its way to the agent. */
  waitingTurn(id: string): AcceptedPrompt | undefined {
    const accepted = this.get(id) ?? this.#prompts.find(({ prompt }) => prompt.key === id);
    return accepted?.phase === 'waiting' && accepted.into === undefined ? accepted : undefined;
  }

  /** The prompts of a subscriber. */
  of(subscriber: Subscriber): readonly AcceptedPrompt[] {
    return this.#prompts.filter(({ prompt }) => prompt.subscriber === subscriber);
  }

  add(accepted: AcceptedPrompt): void {
    this.#become([...this.#prompts, accepted]);
  }

  /** Moves a prompt before all others that wait. */
  advance(accepted: AcceptedPrompt): void {
    const rank = (each: AcceptedPrompt): number => (each.phase !== 'waiting' ? 0 : each === accepted ? 1 : 2);
    this.#become(this.#prompts.toSorted((one, other) => rank(one) - rank(other)));
  }

  /** Records that the turn of a prompt begins, that the running turn takes it in, or that it will not be sent. */
  enter(accepted: AcceptedPrompt, phase: 'begun' | 'over'): void {
    accepted.phase = phase;
    this.#become([...this.#prompts]);
  }

  /** Removes a prompt that was answered. */
  end(accepted: AcceptedPrompt): void {
    const left = this.#prompts.filter((each) => each !== accepted);
    this.#become(left.length === 0 ? none : left);
    if (this.size > 0) return;
    for (const resolve of this.#whenEmpty ?? []) resolve();
    this.#whenEmpty = undefined;
  }

  /** Updates the list of waiting prompts a moment later: a prompt that begins at once never waited. */
  #become(prompts: readonly AcceptedPrompt[]): void {
    this.#prompts = prompts;
    if (this.#isDue) return;
    this.#isDue = true;
    soon(() => {
      this.#isDue = false;
      const waiting = this.notBegun;
      const before = this.#waiting;
      const isSame = waiting.every(({ turnId }, index) => before[index]?.turnId === turnId);
      if (isSame && waiting.length === before.length) return;
      this.#waiting = waiting.length === 0 ? nothingWaits : waiting.map(shown);
      this.#onWaiting(this.#waiting);
    });
  }
}

function shown({ turnId, prompt: { subscriber, content, key } }: AcceptedPrompt): WaitingPrompt {
  const text = content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
  return { turnId, by: subscriber.author, text: text.slice(0, shownText), ...(key !== undefined && { key }) };
}
