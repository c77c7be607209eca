import type { PlacedEvent } from '../log/session-event.ts';
import type { SessionLog } from '../log/session-log.ts';
import type { Cursor, SessionClaim, SessionRecord, SessionStore } from '../store/session-store.ts';
import { type Passage, passagesOf } from '../texts/passage.ts';
import { TextCollector } from './text-collector.ts';

/** The number of collected texts, and their length in UTF-16 units, that are indexed before the end of a turn. */
const mostCollected = 32;
const longestCollected = 128 * 1024;

/** The number of batches of texts that may wait for the store before the log waits too. */
const mostWaiting = 4;

/** The inputs of the texts of a session. */
export interface SessionTextsParts {
  readonly store: Pick<SessionStore, 'index'>;
  readonly claim: SessionClaim;
  /** The record of the session, whose title changes. */
  readonly record: { readonly current: Pick<SessionRecord, 'title'> };
  /** Called when the store refused texts. */
  readonly onFailed: (error: Error) => Promise<void>;
}

const nothingToIndex: Promise<void> = Promise.resolve();

/**
 * Indexes the texts of a session for the search: at the end of a turn instead of with each event, so that events are not stored later. If this
 * process is killed, the next one that opens the session indexes the events that are left.
 */
export class SessionTexts {
  /** Resolves when the texts so far are indexed, or were refused. */
  indexed: Promise<void> = nothingToIndex;
  /** Like `indexed`, but rejects if the store refused texts. */
  #stored = nothingToIndex;
  #waiting = 0;
  readonly #parts: SessionTextsParts;
  readonly #collector = new TextCollector();
  /** The last event that was added. */
  #end: Cursor;
  #isBehind = false;
  #title: string | null;

  constructor(parts: SessionTextsParts) {
    const { indexedUpTo, record } = parts.claim;
    this.#parts = parts;
    this.#end = indexedUpTo;
    this.#title = this.#hasUnread ? null : record.title;
  }

  /** Adds an event that is stored. */
  add(placed: PlacedEvent): void {
    this.#collector.add(placed);
    this.#end = { epoch: placed.epoch, sequence: placed.sequence };
    this.#isBehind = true;
    const { type } = placed.event;
    const isMuch = this.#collector.size >= mostCollected || this.#collector.length >= longestCollected;
    if (isMuch || type === 'turn-ended' || type === 'turn-failed') this.index();
  }

  /** Indexes the texts so far. */
  index(): void {
    const { store, claim, record, onFailed } = this.#parts;
    const current = record.current.title;
    if (!this.#isBehind && current === this.#title) return;
    const titles = current === this.#title ? [] : [titled(current ?? '')];
    const texts = { passages: [...this.#collector.take(), ...titles], upTo: this.#end };
    this.#title = current;
    this.#isBehind = false;
    this.#waiting++;
    this.#stored = this.#stored.then(() => store.index(claim, texts)).finally(() => this.#waiting--);
    this.indexed = this.#stored.catch((error: unknown) => onFailed(error as Error));
  }

  /** Resolves when the store has caught up; undefined if few texts wait for it. An agent may write faster than the store indexes. */
  get backlog(): Promise<void> | undefined {
    return this.#waiting > mostWaiting ? this.#stored.catch(() => undefined) : undefined;
  }

  /** Indexes the events that an earlier process has stored and not indexed. Call it before the first event is added. */
  async catchUp(log: Pick<SessionLog, 'pageAfter'>): Promise<void> {
    if (!this.#hasUnread) return;
    for (let events = await log.pageAfter(this.#end); events.length > 0; events = await log.pageAfter(this.#end)) {
      for (const event of events) this.add(event);
      // A long log is read no faster than the store indexes it.
      await this.indexed;
    }
    this.index();
  }

  get #hasUnread(): boolean {
    const { indexedUpTo, head } = this.#parts.claim;
    return indexedUpTo.sequence < head.sequence;
  }
}

/** A title is indexed without an event, as one passage: an agent may report a title of any length. */
function titled(title: string): Passage {
  const about = { kind: 'title', epoch: 0, sequence: 0, at: Date.now() } as const;
  return passagesOf(title, about)[0] ?? { ...about, text: '' };
}
