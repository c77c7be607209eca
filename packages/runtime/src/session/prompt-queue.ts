import type { Turn } from '@turnwire/client';
import { soon } from '@turnwire/machine/waits';
import type { ContentBlock, PromptResponse, WaitingPrompt } from '@turnwire/protocol';
import type { DecisionCount } from './rules-in-force.ts';
import type { Subscriber } from './subscriber.ts';
import type { LimitedTurn, TurnLimits } from './turn-limits.ts';

/** How much of the text of a waiting prompt is shown, in characters. */
const shownText = 1_000;

/** A prompt of a subscriber. */
export interface GivenPrompt {
  readonly content: readonly ContentBlock[];
  readonly subscriber: Subscriber;
  /** Makes it one turn, however often it is sent. */
  readonly key?: string | undefined;
  readonly limits?: TurnLimits | undefined;
  /** For the rules of the turn. */
  readonly rules?: unknown;
  /** `_meta` for the agent. */
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
  /** It is refused if the agent has lost the session. */
  readonly failsIfLost?: boolean | undefined;
  /** No client waits for its answer: the next client that subscribes receives its failure. */
  readonly isUnattended?: boolean | undefined;
  /** Aborts when the client cancels the prompt. */
  readonly signal: AbortSignal;
  /** Called when the prompt was accepted: it runs, or waits for the turns before it. */
  readonly onAccepted?: ((turnId: string) => void) | undefined;
}

/** A prompt that was accepted, from then to the end of its turn. */
export interface Prompted extends GivenPrompt {
  readonly turnId: string;
  /** In milliseconds since 1970. */
  readonly acceptedAt: number;
  readonly decisions: DecisionCount;
  readonly limited: LimitedTurn;
  /** The agent has done something for it: it cannot be sent again. */
  readonly onWork: () => void;
  readonly answer: Promise<PromptResponse>;
  readonly resolve: (answer: PromptResponse) => void;
  readonly reject: (error: unknown) => void;
  /** `over`: it will not be sent, and is about to be answered. */
  place: 'waiting' | 'begun' | 'over';
  isCancelled: boolean;
  /** The turn at the agent, once it was sent. */
  sent?: Turn;
  /** The turn that it is offered to, or that took it in. */
  into?: Prompted | undefined;
}

/** No prompt waits. */
export const nothingWaits: readonly WaitingPrompt[] = [];

/** Most of ten thousand sessions have no prompt: they share this. */
const none: readonly Prompted[] = [];

/** The prompts of a session that wait or run: the only queue there is. */
export class PromptQueue {
  readonly #onChange: () => void;
  /** The running prompts, then the waiting ones in their order. */
  #prompts = none;
  #whenEmpty: (() => void)[] | undefined;
  #waiting = nothingWaits;
  #isDue = false;

  /** @param onChange called after `waiting` became another list: once for changes that come together */
  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** How many wait or run. */
  get size(): number {
    return this.#prompts.length;
  }

  /** Resolves when none waits or runs. */
  async emptied(): Promise<void> {
    if (this.size > 0) await new Promise<void>((resolve) => (this.#whenEmpty ??= []).push(resolve));
  }

  /** Those that wait, as subscribers see them: another list after every change. */
  get waiting(): readonly WaitingPrompt[] {
    return this.#waiting;
  }

  get(turnId: string): Prompted | undefined {
    return this.#prompts.find((each) => each.turnId === turnId);
  }

  /** Those that wait, in the order in which they will run. */
  get notBegun(): readonly Prompted[] {
    return this.#prompts.filter(({ place }) => place === 'waiting');
  }

  /** The next to run. */
  get next(): Prompted | undefined {
    return this.#prompts.find(({ place }) => place === 'waiting');
  }

  /** One that waits, and is not on its way to the agent. */
  waitingTurn(turnId: string): Prompted | undefined {
    return this.#prompts.find((each) => each.turnId === turnId && each.place === 'waiting' && each.into === undefined);
  }

  /** The prompts of a subscriber. */
  of(subscriber: Subscriber): readonly Prompted[] {
    return this.#prompts.filter((each) => each.subscriber === subscriber);
  }

  add(prompted: Prompted): void {
    this.#become([...this.#prompts, prompted]);
  }

  /** A prompt runs before all others that wait. */
  advance(prompted: Prompted): void {
    const rank = (each: Prompted): number => (each.place !== 'waiting' ? 0 : each === prompted ? 1 : 2);
    this.#become(this.#prompts.toSorted((one, other) => rank(one) - rank(other)));
  }

  /** The turn of a prompt begins, the running one takes it in, or it will not be sent. */
  place(prompted: Prompted, place: 'begun' | 'over'): void {
    prompted.place = place;
    this.#become([...this.#prompts]);
  }

  /** The prompt was answered. */
  end(prompted: Prompted): void {
    const left = this.#prompts.filter((each) => each !== prompted);
    this.#become(left.length === 0 ? none : left);
    if (this.size > 0) return;
    for (const resolve of this.#whenEmpty ?? []) resolve();
    this.#whenEmpty = undefined;
  }

  /** A prompt that begins at once did not wait: the list is made when what is due now is done. */
  #become(prompts: readonly Prompted[]): void {
    this.#prompts = prompts;
    if (this.#isDue) return;
    this.#isDue = true;
    soon(() => {
      this.#isDue = false;
      const waiting = this.notBegun;
      if (isSame(waiting, this.#waiting)) return;
      this.#waiting = waiting.length === 0 ? nothingWaits : waiting.map(shown);
      this.#onChange();
    });
  }
}

function isSame(one: readonly Prompted[], other: readonly WaitingPrompt[]): boolean {
  return one.length === other.length && one.every(({ turnId }, index) => other[index]?.turnId === turnId);
}

function shown({ turnId, subscriber, content, key }: Prompted): WaitingPrompt {
  const text = content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
  return { turnId, by: subscriber.author, text: text.slice(0, shownText), ...(key !== undefined && { key }) };
}
