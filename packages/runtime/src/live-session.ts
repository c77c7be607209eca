import type { SessionEvent } from '@turnwire/client/gateway';
import { emptyTranscript, reduce, type TranscriptView } from '@turnwire/client/transcript';
import type { ContentBlock } from '@turnwire/protocol';
import type { TurnEnd } from './session/prompt-answers.ts';
import type { Session } from './session/session.ts';
import type { Subscriber } from './session/subscriber.ts';
import type { Subscription } from './session/subscription.ts';
import type { TurnLimits } from './session/turn-limits.ts';

/** The inputs of a live session. */
export interface LiveSessionParts extends Pick<Subscriber, 'author' | 'askPermission' | 'elicitation'> {
  /** Makes the session. */
  readonly begin: () => Promise<Session>;
  /** The limits of each turn. Default: no limits. */
  readonly limits?: TurnLimits | undefined;
  /** Called with each event, after it is in the transcript. */
  readonly onEvent?: ((event: SessionEvent) => void) | undefined;
  /** Called after each change of the transcript, the queue or the state of the agent. */
  readonly onChange: () => void;
  /** Called with the reason when a prompt fails before its turn begins: the transcript does not show that. */
  readonly onRefused?: ((error: unknown) => void) | undefined;
}

/** A waiting prompt. */
export interface LivePrompt {
  readonly id: string;
  readonly content: readonly ContentBlock[];
}

/** A prompt from before the session began. */
interface EarlyPrompt extends LivePrompt {
  readonly start: (session: Session) => void;
  readonly fail: (error: unknown) => void;
  readonly withdraw: () => void;
}

/** A session of this process with its transcript, for a surface that takes prompts before the session has begun. */
export class LiveSession {
  readonly begun: Promise<Session>;
  /** Undefined before it has begun. */
  session: Session | undefined;
  transcript: TranscriptView = emptyTranscript();
  readonly #parts: LiveSessionParts;
  readonly #subscriber: Subscriber;
  readonly #turnsBegun = new Set<string>();
  #subscription: Subscription | undefined;
  #early: readonly EarlyPrompt[] = [];

  constructor(parts: LiveSessionParts) {
    const { author, askPermission, elicitation, onChange } = parts;
    this.#parts = parts;
    this.#subscriber = {
      ...{ author, askPermission, elicitation, role: 'control', isOwner: true, decidesLimits: true, readsEvents: true },
      receive: (events) => {
        for (const { event } of events) this.add(event);
        return void onChange();
      },
      changed: () => void onChange(),
    };
    this.begun = this.#begin();
    this.begun.catch((error: unknown) => {
      for (const { fail } of this.#early) fail(error);
    });
  }

  /** The waiting prompts, oldest first. */
  get queue(): readonly LivePrompt[] {
    const waiting = this.session?.turns.queue.notBegun ?? [];
    return [...waiting.map(({ turnId: id, prompt }) => ({ id, content: prompt.content })), ...this.#early];
  }

  /** Adds an event to the transcript. */
  add(event: SessionEvent): void {
    if (event.type === 'prompt') this.#turnsBegun.add(event.turnId);
    this.transcript = reduce(this.transcript, event);
    this.#parts.onEvent?.(event);
  }

  /** Runs a turn, after those before it. The transcript shows it completely when this settles. */
  prompt(content: readonly ContentBlock[], signal: AbortSignal = new AbortController().signal): Promise<TurnEnd> {
    const end = this.session ? this.#run(this.session, content, signal) : this.#runLater(content, signal);
    // The transcript shows a failure too.
    end.catch(() => undefined);
    this.#parts.onChange();
    return end;
  }

  /** Removes a waiting prompt. Returns false if its turn has begun. */
  withdraw(id: string): boolean {
    const early = this.#early.find((each) => each.id === id);
    this.#early = this.#early.filter((each) => each !== early);
    early?.withdraw();
    const isWithdrawn = early !== undefined || (this.session?.turns.withdraw(id) ?? false);
    this.#parts.onChange();
    return isWithdrawn;
  }

  /** Does work with the session. The transcript shows its events when this settles. */
  async during(work: (session: Session) => Promise<void>): Promise<void> {
    const session = await this.begun;
    try {
      await work(session);
    } finally {
      await session.log.stored();
      await this.#subscription?.reached(session.head.sequence);
    }
  }

  async #begin(): Promise<Session> {
    const session = await this.#parts.begin();
    const { subscription } = await session.subscribe(this.#subscriber, { after: session.head });
    subscription.goLive();
    this.session = session;
    this.#subscription = subscription;
    const early = this.#early;
    this.#early = [];
    for (const { start } of early) start(session);
    return session;
  }

  #runLater(content: readonly ContentBlock[], signal: AbortSignal): Promise<TurnEnd> {
    const id = `early-${this.#early.length}`;
    return new Promise((resolve, reject) => {
      const early: EarlyPrompt = {
        ...{ id, content, fail: reject },
        start: (session) => void this.#run(session, content, signal).then(resolve, reject),
        withdraw: () => resolve({ turnId: id, stopReason: 'cancelled' }),
      };
      this.#early = [...this.#early, early];
    });
  }

  async #run(session: Session, content: readonly ContentBlock[], signal: AbortSignal): Promise<TurnEnd> {
    const { limits, onChange, onRefused } = this.#parts;
    let turnId = '';
    const onAccepted = (id: string): void => void (turnId = id);
    try {
      return await session.prompt({ content, limits, signal, onAccepted, subscriber: this.#subscriber });
    } catch (error) {
      if (!this.#turnsBegun.has(turnId)) onRefused?.(error);
      throw error;
    } finally {
      await this.#subscription?.reached(session.head.sequence);
      this.#turnsBegun.delete(turnId);
      onChange();
    }
  }
}
