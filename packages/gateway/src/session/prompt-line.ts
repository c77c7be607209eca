import { soon } from '@turnwire/machine/waits';
import type { ContentBlock } from '@turnwire/protocol';
import type { Author } from '../log/session-event.ts';
import type { HostedClient } from './hosted-client.ts';
import type { DecisionCount } from './rules-in-force.ts';
import type { LimitedTurn, TurnLimits } from './turn-limits.ts';

/** How much of the text of a waiting prompt is shown, in characters. */
const shownText = 1_000;

/** A prompt that was accepted, from then to the end of its turn. */
export interface AcceptedPrompt {
  readonly client: HostedClient;
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

/** The prompts of a session that wait or run, by the ids of their turns. */
export class PromptLine {
  readonly #session: { notify(): void };
  readonly #accepted = new Map<string, AcceptedPrompt>();
  readonly #begun = new Set<string>();
  readonly #whenEmpty: (() => void)[] = [];
  #waiting = nothingWaits;
  #isDue = false;

  /** @param session notified after `waiting` became another list: once for changes that come together */
  constructor(session: { notify(): void }) {
    this.#session = session;
  }

  /** How many wait or run. */
  get size(): number {
    return this.#accepted.size;
  }

  /** Resolves when none waits or runs. */
  async emptied(): Promise<void> {
    if (this.size > 0) await new Promise<void>((resolve) => this.#whenEmpty.push(resolve));
  }

  /** Those that wait, in the order in which they will run: another list after every change. */
  get waiting(): readonly WaitingPrompt[] {
    return this.#waiting;
  }

  get(turnId: string): AcceptedPrompt | undefined {
    return this.#accepted.get(turnId);
  }

  /** The turns that have not begun, in the order in which they would. */
  get notBegun(): readonly (readonly [turnId: string, prompt: AcceptedPrompt])[] {
    return [...this.#accepted].filter(([turnId]) => !this.#begun.has(turnId));
  }

  /** The turns of a client that have not begun. */
  waitingOf(client: HostedClient): readonly string[] {
    return [...this.#accepted].flatMap(([id, each]) => (each.client === client && !this.#begun.has(id) ? [id] : []));
  }

  /** The prompt whose turn runs. */
  get running(): AcceptedPrompt | undefined {
    const [first] = this.#begun;
    return first === undefined ? undefined : this.#accepted.get(first);
  }

  /** Whether a turn of the client runs. */
  isRunning(client: HostedClient): boolean {
    return [...this.#begun].some((turnId) => this.#accepted.get(turnId)?.client === client);
  }

  add(turnId: string, prompt: AcceptedPrompt): void {
    this.#accepted.set(turnId, prompt);
    this.#changed();
  }

  /** A prompt runs before all others that wait. */
  advance(turnId: string): void {
    const waiting = this.notBegun;
    for (const [id, prompt] of waiting) {
      if (id === turnId) continue;
      this.#accepted.delete(id);
      this.#accepted.set(id, prompt);
    }
    this.#changed();
  }

  /** The turn of a prompt begins, or the running one takes it in. */
  begin(turnId: string): void {
    this.#begun.add(turnId);
    this.#changed();
  }

  /** The turn is over, or will never be. */
  end(turnId: string): void {
    this.#accepted.delete(turnId);
    this.#begun.delete(turnId);
    this.#changed();
    if (this.size === 0) for (const resolve of this.#whenEmpty.splice(0)) resolve();
  }

  /** A prompt that begins at once did not wait: the list is made when what is due now is done. */
  #changed(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    soon(() => {
      this.#isDue = false;
      const waiting = [...this.#accepted].filter(([turnId]) => !this.#begun.has(turnId));
      if (isSame(waiting, this.#waiting)) return;
      this.#waiting = waiting.length === 0 ? nothingWaits : waiting.map(([turnId, prompt]) => shown(turnId, prompt));
      this.#session.notify();
    });
  }
}

function isSame(one: readonly (readonly [string, AcceptedPrompt])[], other: readonly WaitingPrompt[]): boolean {
  return one.length === other.length && one.every(([turnId], index) => other[index]?.turnId === turnId);
}

function shown(turnId: string, { client, content, key }: AcceptedPrompt): WaitingPrompt {
  const text = content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
  return { turnId, by: client.author, text: text.slice(0, shownText), ...(key !== undefined && { key }) };
}
