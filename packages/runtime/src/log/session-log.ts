import { restored, sheltered } from '@turnwire/machine';
import { beginning } from './cursor-text.ts';
import type {
  Cursor,
  EventPage,
  GapReason,
  NewEvent,
  SessionClaim,
  SessionStore,
  StoredEvent,
} from '../store/session-store.ts';
import type { LoggedEvent } from './session-event.ts';
import type { SessionEvent } from '@turnwire/client/gateway';
import { StandingEvents } from './standing-events.ts';

/** How much of the end of a log is kept in memory for clients that keep up: events, and text in UTF-16 units. */
const recentEvents = 32;
const recentText = 1024 * 1024;
/**
 * How much may wait to be stored before the agent is slowed down, in UTF-16 units: of a session; of all sessions of this process, and of each
 * of them then.
 */
const unstoredText = 4 * 1024 * 1024;
const unstoredOfAll = 64 * 1024 * 1024;
const unstoredOfEach = 64 * 1024;
/** How many events a page has that is read from the store. */
const pageEvents = 256;

/** An event that waits to be stored. */
interface Waiting extends NewEvent {
  readonly event: SessionEvent;
}

/** The recent events of a log whose clients have them all: shared, since most logs are such. */
const none: readonly LoggedEvent[] = [];

/** What a log is made of. */
export interface SessionLogParts {
  readonly store: SessionStore;
  readonly claim: SessionClaim;
  /** Called when events were stored. */
  readonly onStored: () => void;
  /** Returns whether every subscriber has received the events up to one. */
  readonly haveAll: (upTo: Cursor) => boolean;
  /** Called when the store refused an event. Nothing is stored from then on. */
  readonly onFailed: (error: Error) => Promise<void>;
}

/** The log of a session that this process owns: an event is stored before any client sees it. */
export class SessionLog {
  /** What waits of all sessions, and what is being stored. */
  static #unstoredSizes = 0;
  readonly #parts: SessionLogParts;
  #head: Cursor;
  /** The last events. */
  #recent = none;
  #recentSize = 0;
  /** There while something waits. */
  #unstored: Waiting[] | undefined;
  #unstoredSize = 0;
  /** How many wait, and are being stored. */
  #waiting = 0;
  #storing: Promise<void> | undefined;
  /** What is to be done once the events before it are stored. */
  #due: (() => void)[] | undefined;
  #failure: Error | undefined;
  /** The last event that was forgotten, and the text that was stored since. */
  #forgotten = 0;
  #textSince = 0;
  readonly #standing = new StandingEvents();
  /** Resolves when what stood before this process had the log is noted. */
  #earlier: Promise<void> | undefined;

  constructor(parts: SessionLogParts) {
    this.#parts = parts;
    this.#head = parts.claim.head;
  }

  /** The last event that is stored. */
  get head(): Cursor {
    return this.#head;
  }

  /** How many events it will have once those that wait are stored. */
  get length(): number {
    return this.#head.sequence + this.#waiting;
  }

  /** Adds an event. It is stored with those that come at the same time; a second one with its key is left out. */
  append(event: SessionEvent, key?: string): void {
    if (this.#failure) return;
    const payload = restored(JSON.stringify(event));
    (this.#unstored ??= []).push({ at: event.at, type: event.type, payload, key, event });
    this.#unstoredSize += payload.length;
    this.#waiting++;
    SessionLog.#unstoredSizes += payload.length;
    this.#storing ??= this.#store();
  }

  /** Resolves when everything that was added is stored, or cannot be. */
  async stored(): Promise<void> {
    await this.#storing;
  }

  /** Calls back once everything that was added so far is stored: at once, if it is. Never, if it cannot be. */
  onceStored(action: () => void): void {
    if (this.#storing) (this.#due ??= []).push(action);
    else if (!this.#failure) action();
  }

  /** Resolves when little waits to be stored. Undefined: that is so now. */
  get backpressure(): Promise<void> | undefined {
    const most = SessionLog.#unstoredSizes > unstoredOfAll ? unstoredOfEach : unstoredText;
    return this.#unstoredSize > most ? this.#storing : undefined;
  }

  /** The stored events after a cursor that was the head at some time, oldest first, for those who keep up: undefined if they are not all in memory. */
  recentAfter({ sequence }: Cursor): readonly LoggedEvent[] | undefined {
    const first = this.#recent[0];
    if (sequence >= this.#head.sequence) return [];
    return first && sequence >= first.sequence - 1 ? this.#recent.slice(sequence + 1 - first.sequence) : undefined;
  }

  /** The same from the store: a page of them. */
  async pageAfter(cursor: Cursor, limit: number = pageEvents): Promise<readonly LoggedEvent[]> {
    const page = await this.read(cursor, { limit });
    return 'events' in page ? page.events.map((each) => logged(each)) : [];
  }

  /** Where whoever has everything up to a cursor goes on, and the reason if some of what came after it is not there. */
  async startAfter(cursor: Cursor): Promise<{ readonly start: Cursor; readonly gap?: GapReason }> {
    // Nobody has to be asked about the head.
    if (cursor.epoch === this.#head.epoch && cursor.sequence === this.#head.sequence) return { start: cursor };
    const page = await this.read(cursor, { types: [] });
    if (!('gap' in page)) return { start: cursor };
    return { gap: page.gap, start: page.gap === 'trimmed' ? page.floor : page.head };
  }

  /** The cursor behind which the log has its last `count` events; where it was trimmed, as far as it goes back. */
  async startOfLast(count: number): Promise<Cursor> {
    const { epoch: newest, sequence: last } = this.#head;
    const sequence = last - count;
    if (sequence <= 0) return beginning;
    // Epochs are few: one for each time that the session was claimed.
    for (let epoch = newest; epoch > 0; epoch--) {
      const page = await this.read({ epoch, sequence }, { types: [] });
      if (!('gap' in page)) return { epoch, sequence };
      if (page.gap === 'trimmed') return page.floor;
    }
    return beginning;
  }

  /**
   * What still holds of the events up to a cursor: settings, commands, the prompt of the running turn. Of what was stored before this process
   * had the log, only the beginning is looked at, where agents say most of it.
   */
  async standingAt(cursor: Cursor): Promise<readonly SessionEvent[]> {
    this.#earlier ??= this.pageAfter(beginning).then((events) => this.#standing.noteEarlier(events));
    await this.#earlier;
    return this.#standing.upTo(cursor.sequence);
  }

  /** Forgets the events up to one: many at a time, or much text. */
  async forget(upTo: Cursor): Promise<void> {
    if (upTo.sequence - this.#forgotten < pageEvents && this.#textSince < recentText) return;
    this.#forgotten = upTo.sequence;
    this.#textSince = 0;
    const { store, claim } = this.#parts;
    await store.trim(claim, upTo);
  }

  /** A page of the log, as the store has it. */
  read(
    after: Cursor,
    { limit = pageEvents, types }: { readonly limit?: number; readonly types?: readonly string[] } = {},
  ): Promise<EventPage> {
    const { store, claim } = this.#parts;
    const { id, tenant } = claim.record;
    return store.read({ tenant, id, after }, { limit, ...(types && { types }) });
  }

  /** The event with a key. */
  findByKey(key: string): Promise<StoredEvent | undefined> {
    const { store, claim } = this.#parts;
    return store.findByKey(claim.record.tenant, claim.record.id, key);
  }

  /** The last stored event of some types. A log that has none is not asked. */
  async lastOf(types: readonly string[]): Promise<SessionEvent | undefined> {
    if (this.#head.sequence === 0) return undefined;
    const { store, claim } = this.#parts;
    const found = await store.findLast(claim.record.tenant, claim.record.id, types);
    return found && logged(found).event;
  }

  /** The stored events of some types after a cursor, oldest first. */
  async *events(after: Cursor, types: readonly string[]): AsyncGenerator<SessionEvent> {
    for (let place = after; ;) {
      const page = await this.read(place, { types });
      const events = 'events' in page ? page.events : [];
      for (const { payload } of events) yield eventOf(payload);
      const last = events.at(-1);
      if (!last) return;
      place = last;
    }
  }

  async #store(): Promise<void> {
    const { store, claim, onStored, haveAll, onFailed } = this.#parts;
    let storing = 0;
    try {
      for (let batch = this.#unstored; batch; batch = this.#unstored) {
        const due = this.#due;
        storing = this.#unstoredSize;
        this.#unstored = undefined;
        this.#due = undefined;
        this.#unstoredSize = 0;
        const stored = await store.append(claim, batch);
        SessionLog.#unstoredSizes -= storing;
        storing = 0;
        this.#waiting -= batch.length;
        this.#keep(stored, batch);
        onStored();
        if (haveAll(this.#head)) this.#forgetRecent();
        for (const action of due ?? []) action();
      }
      const due = this.#due;
      this.#due = undefined;
      for (const action of due ?? []) action();
    } catch (error) {
      this.#failure = error as Error;
      this.#unstored = undefined;
      SessionLog.#unstoredSizes -= storing + this.#unstoredSize;
      this.#unstoredSize = 0;
      void onFailed(this.#failure);
    } finally {
      this.#storing = undefined;
    }
  }

  /** Nobody needs them: whoever comes later reads the store. */
  #forgetRecent(): void {
    this.#recent = none;
    this.#recentSize = 0;
  }

  #keep(stored: readonly StoredEvent[], batch: readonly Waiting[]): void {
    const last = stored.at(-1);
    if (!last) return;
    this.#head = { epoch: last.epoch, sequence: last.sequence };
    // Where one was left out for its key, which are left says their text.
    const isWhole = stored.length === batch.length;
    const added = stored.map((each, index) => {
      const event = isWhole ? batch[index]?.event : undefined;
      const { epoch, sequence, payload } = each;
      const recent = event ? { epoch, sequence, event, payload } : logged(each);
      this.#standing.note(recent);
      this.#recentSize += payload.length;
      this.#textSince += payload.length;
      return recent;
    });
    const recent = this.#recent.length === 0 ? added : [...this.#recent, ...added];
    // Clients that keep up read what was just stored, however much that was.
    const kept = Math.max(recentEvents, 2 * stored.length);
    let first = 0;
    for (; recent.length - first > kept || this.#recentSize > recentText; first++)
      this.#recentSize -= recent[first]?.payload.length ?? 0;
    this.#recent = first === 0 ? recent : recent.slice(first);
  }
}

function logged({ epoch, sequence, payload }: StoredEvent): LoggedEvent {
  return { epoch, sequence, event: eventOf(payload), payload };
}

function eventOf(payload: string): SessionEvent {
  return JSON.parse(sheltered(payload)) as SessionEvent;
}
