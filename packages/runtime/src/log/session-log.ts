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
import { EventSnapshot } from './event-snapshot.ts';

/** The end of a log that stays in memory for clients that keep up: the number of events, and their text in UTF-16 units. */
const recentEvents = 32;
const recentText = 1024 * 1024;
/**
 * The text that may wait to be stored before the agent is slowed down, in UTF-16 units: of a session; of all sessions of this process, and, beyond
 * that, of each of them.
 */
const unstoredText = 4 * 1024 * 1024;
const unstoredOfAll = 64 * 1024 * 1024;
const unstoredOfEach = 64 * 1024;
/** The number of events in a page of the store. */
const pageEvents = 256;

/** An event that waits to be stored. */
interface Waiting extends NewEvent {
  readonly event: SessionEvent;
}

/** The empty list, shared by all logs whose clients have received every event: most of them. */
const none: readonly LoggedEvent[] = [];

/** The inputs of a log. */
export interface SessionLogParts {
  readonly store: SessionStore;
  readonly claim: SessionClaim;
  /** Receives each event once it is stored. The log waits for a backlog. */
  readonly texts?: { add(event: LoggedEvent): void; readonly backlog: Promise<void> | undefined } | undefined;
  /** Called when events were stored. */
  readonly onStored: () => void;
  /** Returns whether every subscriber has received the events up to a cursor. */
  readonly haveAll: (upTo: Cursor) => boolean;
  /** Events are forgotten once every subscriber has received them: no client begins to read later, so the log keeps no snapshot. */
  readonly isPassing?: boolean | undefined;
  /** Called when the store refused an event. The log stores nothing from then on. */
  readonly onFailed: (error: Error) => Promise<void>;
}

/** The log of a session that this process owns. It stores each event before a client receives it. */
export class SessionLog {
  /** The text of all sessions that waits or is being stored. */
  static #unstoredSizes = 0;
  readonly #parts: SessionLogParts;
  #head: Cursor;
  /** The last events. */
  #recent = none;
  #recentSize = 0;
  /** The events that wait; undefined if there are none. */
  #unstored: Waiting[] | undefined;
  #unstoredSize = 0;
  /** The number of events that wait or are being stored. */
  #waiting = 0;
  #storing: Promise<void> | undefined;
  /** Actions that wait until the events before them are stored. */
  #due: (() => void)[] | undefined;
  #failure: Error | undefined;
  /** The last event that was trimmed, and the text that was stored since. */
  #forgotten = 0;
  #textSince = 0;
  readonly #snapshot: EventSnapshot | undefined;
  /** Resolves when the events from before the claim are in the snapshot. */
  #earlier: Promise<void> | undefined;

  constructor(parts: SessionLogParts) {
    this.#parts = parts;
    this.#head = parts.claim.head;
    this.#snapshot = parts.isPassing ? undefined : new EventSnapshot();
  }

  /** The cursor of the last stored event. */
  get head(): Cursor {
    return this.#head;
  }

  /** The number of events, including those that wait to be stored. */
  get length(): number {
    return this.#head.sequence + this.#waiting;
  }

  /** Adds an event. Events of the same moment are stored together; a second event with the same key is dropped. */
  append(event: SessionEvent, key?: string): void {
    if (this.#failure) return;
    const payload = restored(JSON.stringify(event));
    (this.#unstored ??= []).push({ at: event.at, type: event.type, payload, key, event });
    this.#unstoredSize += payload.length;
    this.#waiting++;
    SessionLog.#unstoredSizes += payload.length;
    this.#storing ??= this.#store();
  }

  /** Resolves when the events so far are stored, or cannot be. */
  async stored(): Promise<void> {
    await this.#storing;
  }

  /** Calls back when the events so far are stored: at once if they are, never if they cannot be. */
  onceStored(action: () => void): void {
    if (this.#storing) (this.#due ??= []).push(action);
    else if (!this.#failure) action();
  }

  /** Resolves when few events wait to be stored; undefined: few wait now. */
  get backpressure(): Promise<void> | undefined {
    const most = SessionLog.#unstoredSizes > unstoredOfAll ? unstoredOfEach : unstoredText;
    return this.#unstoredSize > most ? this.#storing : undefined;
  }

  /** Returns the stored events after a cursor that was once the head, oldest first; undefined if they are not all in memory. */
  recentAfter({ sequence }: Cursor): readonly LoggedEvent[] | undefined {
    const first = this.#recent[0];
    if (sequence >= this.#head.sequence) return [];
    return first && sequence >= first.sequence - 1 ? this.#recent.slice(sequence + 1 - first.sequence) : undefined;
  }

  /** Reads a page of the events after a cursor from the store. */
  async pageAfter(cursor: Cursor, limit: number = pageEvents): Promise<readonly LoggedEvent[]> {
    const page = await this.read(cursor, { limit });
    return 'events' in page ? page.events.map((each) => logged(each)) : [];
  }

  /** Finds the cursor from which a client with the events up to `cursor` continues. `gap`: why some later events are missing. */
  async startAfter(cursor: Cursor): Promise<{ readonly start: Cursor; readonly gap?: GapReason }> {
    // The head needs no look into the store.
    if (cursor.epoch === this.#head.epoch && cursor.sequence === this.#head.sequence) return { start: cursor };
    const page = await this.read(cursor, { types: [] });
    if (!('gap' in page)) return { start: cursor };
    return { gap: page.gap, start: page.gap === 'trimmed' ? page.floor : page.head };
  }

  /** Finds the cursor before the last `count` events, or before the oldest one that was not trimmed. */
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
   * Returns the events up to a cursor that still apply: settings, commands, the prompt of the running turn. Of the events from before the claim it
   * reads only the first page, which has most of them.
   */
  async snapshotAt(cursor: Cursor): Promise<readonly SessionEvent[]> {
    this.#earlier ??= this.pageAfter(beginning).then((events) => this.#snapshot?.addEarlier(events));
    await this.#earlier;
    return this.#snapshot?.upTo(cursor.sequence) ?? [];
  }

  /** Trims the events up to a cursor, once there are many of them or much text. */
  async forget(upTo: Cursor): Promise<void> {
    if (upTo.sequence - this.#forgotten < pageEvents && this.#textSince < recentText) return;
    this.#forgotten = upTo.sequence;
    this.#textSince = 0;
    const { store, claim } = this.#parts;
    await store.trim(claim, upTo);
  }

  /** Reads a page of the log from the store. */
  read(
    after: Cursor,
    { limit = pageEvents, types }: { readonly limit?: number; readonly types?: readonly string[] } = {},
  ): Promise<EventPage> {
    const { store, claim } = this.#parts;
    const { id, tenant } = claim.record;
    return store.read({ tenant, id, after }, { limit, ...(types && { types }) });
  }

  /** Finds the event with a key. */
  findByKey(key: string): Promise<StoredEvent | undefined> {
    const { store, claim } = this.#parts;
    return store.findByKey(claim.record.tenant, claim.record.id, key);
  }

  /** Finds the last stored event of some types. An empty log does not ask the store. */
  async lastOf(types: readonly string[]): Promise<SessionEvent | undefined> {
    if (this.#head.sequence === 0) return undefined;
    const { store, claim } = this.#parts;
    const found = await store.findLast(claim.record.tenant, claim.record.id, types);
    return found && logged(found).event;
  }

  /** Reads the stored events of some types after a cursor, oldest first. */
  async *events(after: Cursor, types: readonly string[]): AsyncGenerator<SessionEvent> {
    for (let cursor = after; ;) {
      const page = await this.read(cursor, { types });
      const events = 'events' in page ? page.events : [];
      for (const { payload } of events) yield eventOf(payload);
      const last = events.at(-1);
      if (!last) return;
      cursor = last;
    }
  }

  async #store(): Promise<void> {
    try {
      // An action may add events and further actions.
      while (this.#unstored ?? this.#due) {
        const batch = this.#unstored;
        const due = this.#due;
        this.#unstored = undefined;
        this.#due = undefined;
        if (batch) await this.#storeBatch(batch);
        const backlog = this.#parts.texts?.backlog;
        if (backlog) await backlog;
        for (const action of due ?? []) action();
      }
    } catch (error) {
      this.#failure = error as Error;
      this.#unstored = undefined;
      SessionLog.#unstoredSizes -= this.#unstoredSize;
      this.#unstoredSize = 0;
      void this.#parts.onFailed(this.#failure);
    } finally {
      this.#storing = undefined;
    }
  }

  async #storeBatch(batch: readonly Waiting[]): Promise<void> {
    const { store, claim, onStored, haveAll } = this.#parts;
    const storing = this.#unstoredSize;
    this.#unstoredSize = 0;
    try {
      const stored = await store.append(claim, batch);
      this.#waiting -= batch.length;
      this.#keep(stored, batch);
    } finally {
      SessionLog.#unstoredSizes -= storing;
    }
    onStored();
    if (!haveAll(this.#head)) return;
    // Later subscribers read the store.
    this.#recent = none;
    this.#recentSize = 0;
  }

  #keep(stored: readonly StoredEvent[], batch: readonly Waiting[]): void {
    const last = stored.at(-1);
    if (!last) return;
    this.#head = { epoch: last.epoch, sequence: last.sequence };
    // If the store dropped an event for its key, the stored payloads show which ones remain.
    const isWhole = stored.length === batch.length;
    const added = stored.map((each, index) => {
      const event = isWhole ? batch[index]?.event : undefined;
      const { epoch, sequence, payload } = each;
      const recent = event ? { epoch, sequence, event, payload } : logged(each);
      this.#snapshot?.add(recent);
      this.#parts.texts?.add(recent);
      this.#recentSize += payload.length;
      this.#textSince += payload.length;
      return recent;
    });
    const recent = this.#recent.length === 0 ? added : [...this.#recent, ...added];
    // Clients that keep up read the whole batch from memory, however large it is.
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
