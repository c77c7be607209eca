import { soon } from '@turnwire/machine/waits';
import type { ContentBlock } from '@turnwire/protocol';
import type { Author } from '../log/session-event.ts';
import type { Subscriber } from './subscriber.ts';
import type { DecisionCount } from './rules-in-force.ts';
import type { LimitedTurn, TurnLimits } from './turn-limits.ts';

/** How much of the text of a waiting prompt is shown, in characters. */
const shownText = 1_000;

/** A prompt that was accepted, from then to the end of its turn. */
export interface AcceptedPrompt {
  readonly subscriber: Subscriber;
  readonly content: readonly ContentBlock[];
  readonly key?: string | undefined;
  readonly limits?: TurnLimits | undefined;
  /** For the rules of the turn. */
  readonly rules?: unknown;
  /** It is refused if the agent has lost the session since it was accepted. */
  readonly failsIfLost?: boolean | undefined;
  /** No client waits for its answer. */
  readonly isUnattended?: boolean | undefined;
  /** In milliseconds since 1970. */
  readonly acceptedAt: number;
  /** For the agent, in `_meta`. */
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
  readonly decisions: DecisionCount;
  readonly limited: LimitedTurn;
}

/** A prompt that waits for the turns before it, as clients see it. */
export interface WaitingPrompt {
  readonly turnId: string;
  readonly by: Author;
  /** The beginning of its text. */
  readonly text: string;
  /** The key that its client sent it with. */
  readonly key?: string;
}

/** No prompt waits. */
export const nothingWaits: readonly WaitingPrompt[] = [];

interface Place {
  readonly turnId: string;
  readonly prompt: AcceptedPrompt;
  readonly hasBegun: boolean;
}

/** Of ten thousand sessions most have no prompt: they share this. */
const nobody: readonly Place[] = [];

/** The prompts of a session that wait or run, by the ids of their turns. */
export class PromptLine {
  readonly #session: { notify(): void };
  /** What runs, and after it what waits, in the order in which it will run. */
  #places = nobody;
  #whenEmpty: (() => void)[] | undefined;
  #waiting = nothingWaits;
  #isDue = false;

  /** @param session notified after `waiting` became another list: once for changes that come together */
  constructor(session: { notify(): void }) {
    this.#session = session;
  }

  /** How many wait or run. */
  get size(): number {
    return this.#places.length;
  }

  /** Resolves when none waits or runs. */
  async emptied(): Promise<void> {
    if (this.size > 0) await new Promise<void>((resolve) => (this.#whenEmpty ??= []).push(resolve));
  }

  /** Those that wait, in the order in which they will run: another list after every change. */
  get waiting(): readonly WaitingPrompt[] {
    return this.#waiting;
  }

  get(turnId: string): AcceptedPrompt | undefined {
    return this.#places.find((each) => each.turnId === turnId)?.prompt;
  }

  /** The turns that have not begun, in the order in which they would. */
  get notBegun(): readonly (readonly [turnId: string, prompt: AcceptedPrompt])[] {
    return this.#places.flatMap(({ turnId, prompt, hasBegun }) => (hasBegun ? [] : [[turnId, prompt] as const]));
  }

  /** The turns of a client that have not begun. */
  waitingOf(subscriber: Subscriber): readonly string[] {
    return this.notBegun.flatMap(([turnId, prompt]) => (prompt.subscriber === subscriber ? [turnId] : []));
  }

  /** The prompt whose turn runs. */
  get running(): AcceptedPrompt | undefined {
    return this.#places.find(({ hasBegun }) => hasBegun)?.prompt;
  }

  /** Whether a turn of the client runs. */
  isRunning(subscriber: Subscriber): boolean {
    return this.#places.some(({ prompt, hasBegun }) => hasBegun && prompt.subscriber === subscriber);
  }

  add(turnId: string, prompt: AcceptedPrompt): void {
    this.#become([...this.#places, { turnId, prompt, hasBegun: false }]);
  }

  /** A prompt runs before all others that wait. */
  advance(turnId: string): void {
    const rank = (place: Place): number => (place.hasBegun ? 0 : place.turnId === turnId ? 1 : 2);
    this.#become(this.#places.toSorted((one, other) => rank(one) - rank(other)));
  }

  /** The turn of a prompt begins, or the running one takes it in. */
  begin(turnId: string): void {
    this.#become(this.#places.map((each) => (each.turnId === turnId ? { ...each, hasBegun: true } : each)));
  }

  /** The turn is over, or will never be. */
  end(turnId: string): void {
    const left = this.#places.filter((each) => each.turnId !== turnId);
    this.#become(left.length === 0 ? nobody : left);
    if (this.size > 0) return;
    for (const resolve of this.#whenEmpty ?? []) resolve();
    this.#whenEmpty = undefined;
  }

  /** A prompt that begins at once did not wait: the list is made when what is due now is done. */
  #become(places: readonly Place[]): void {
    this.#places = places;
    if (this.#isDue) return;
    this.#isDue = true;
    soon(() => {
      this.#isDue = false;
      const waiting = this.notBegun;
      if (isSame(waiting, this.#waiting)) return;
      this.#waiting = waiting.length === 0 ? nothingWaits : waiting.map(([turnId, prompt]) => shown(turnId, prompt));
      this.#session.notify();
    });
  }
}

function isSame(one: readonly (readonly [string, AcceptedPrompt])[], other: readonly WaitingPrompt[]): boolean {
  return one.length === other.length && one.every(([turnId], index) => other[index]?.turnId === turnId);
}

function shown(turnId: string, { subscriber, content, key }: AcceptedPrompt): WaitingPrompt {
  const text = content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
  return { turnId, by: subscriber.author, text: text.slice(0, shownText), ...(key !== undefined && { key }) };
}
