import { beginning, sequenceOf } from './session-history.ts';
import type { GatewayMethods, SessionEvent } from './gateway-methods.ts';

/** The listeners of a stream of events. */
export interface EventListeners {
  /** Receives the events of a session, each once and in order. A returned promise slows the gateway down. */
  readonly onEvents: (events: readonly SessionEvent[]) => Promise<void> | undefined | void;
  /** Called with each prompt before `onEvents`. */
  readonly onPrompt: (prompt: SessionEvent & { readonly type: 'prompt' }) => void;
  /** Called at the end of the running turn, before `onEvents`. */
  readonly onTurnEnd: () => void;
}

/** An event with its position in the log, if it has one. */
interface ReceivedEvent {
  readonly cursor?: string | undefined;
  readonly event: SessionEvent;
}

/** The events of a session as they arrive: forwards each once, and remembers the position of the client. */
export class EventStream {
  readonly #listeners: EventListeners;
  #cursor: string | undefined;
  #start = beginning;
  #turnId: string | undefined;
  /** Events that arrived before the id of a new session. */
  #early: readonly GatewayMethods['_turnwire/events']['params'][] = [];

  /** @param cursor of the last event that the client has */
  constructor(listeners: EventListeners, cursor: string | undefined) {
    this.#listeners = listeners;
    this.#cursor = cursor;
  }

  /** The cursor of the last event; undefined before the first. */
  get cursor(): string | undefined {
    return this.#cursor;
  }

  /** The cursor before the first event that the client has. */
  get start(): string {
    return this.#start;
  }

  /** Whether a turn runs. */
  get isWorking(): boolean {
    return this.#turnId !== undefined;
  }

  /** Begins at a cursor. */
  beginAt(start: string): void {
    this.#cursor = this.#start = start;
  }

  /** Records that the client has read earlier events. */
  extendTo(start: string): void {
    this.#start = start;
  }

  /** Forgets all forwarded events. */
  reset(): void {
    this.#cursor = this.#turnId = undefined;
    this.#start = beginning;
  }

  /** Forwards new events and drops known ones. */
  receive(placed: readonly ReceivedEvent[]): Promise<void> | undefined {
    const known = sequenceOf(this.#cursor ?? beginning);
    const news = placed.filter(({ cursor }) => cursor === undefined || sequenceOf(cursor) > known);
    this.#cursor = news.findLast(({ cursor }) => cursor !== undefined)?.cursor ?? this.#cursor;
    return this.deliver(news.map(({ event }) => event));
  }

  /** Forwards events that are not in the log. */
  deliver(events: readonly SessionEvent[]): Promise<void> | undefined {
    if (events.length === 0) return undefined;
    for (const event of events) this.#note(event);
    return this.#listeners.onEvents(events) ?? undefined;
  }

  /** Keeps events of a session whose id has not arrived yet. */
  keep(logged: GatewayMethods['_turnwire/events']['params']): void {
    this.#early = [...this.#early, logged];
  }

  /** Returns the kept events of the session, and drops those of others. */
  takeKept(id: string): readonly ReceivedEvent[] {
    const kept = this.#early.filter(({ sessionId }) => sessionId === id);
    this.#early = [];
    return kept.flatMap(({ events }) => events);
  }

  #note(event: SessionEvent): void {
    if (event.type === 'prompt') {
      if (event.into === undefined) this.#turnId = event.turnId;
      this.#listeners.onPrompt(event);
    }
    if (event.type !== 'turn-ended' && event.type !== 'turn-failed') return;
    // A prompt that never began ends too.
    if (this.#turnId !== undefined && event.turnId !== this.#turnId) return;
    this.#turnId = undefined;
    this.#listeners.onTurnEnd();
  }
}
