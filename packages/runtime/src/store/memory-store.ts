import {
  checkEvents,
  checkLimit,
  fenced,
  gapAfter,
  idTaken,
  type ListPlace,
  type LogExtent,
  nextPage,
  notFound,
  notInLog,
  pageCharacters,
  placeAfter,
  start,
} from './log-rules.ts';
import type {
  Cursor,
  EventPage,
  IndexedTexts,
  NewEvent,
  RecordChange,
  SessionClaim,
  SessionPage,
  SessionQuery,
  SessionRecord,
  SessionStore,
  StoredEvent,
  StoredUse,
} from './session-store.ts';
import { StoreError } from './store-error.ts';
import type { UsageRow } from '@turnwire/protocol';
import { type FoundSession, FoundSessions, type TextQuery } from '../texts/found-sessions.ts';
import type { Passage } from '../texts/passage.ts';
import { placedWords, queryWords } from '../texts/words.ts';
import type { TurnUsage, UsageQuery } from '../usage/usage-record.ts';
import { type CurrencySum, noUsage, usageRows } from '../usage/usage-sums.ts';

/** A searchable text. */
interface StoredPassage {
  readonly session: string;
  readonly passage: Passage;
}

/** A session and its log. */
interface StoredSession extends LogExtent {
  record: SessionRecord;
  epoch: number;
  floor: Cursor;
  head: Cursor;
  /** The events after the floor. */
  readonly events: StoredEvent[];
  /** The sequence numbers of events by their keys, including trimmed ones. */
  readonly keys: Map<string, number>;
  indexedUpTo: Cursor;
}

/**
 * A store for one-off commands and tests. It follows the contract of every store, except that its data ends with the process.
 */
export function memoryStore(): SessionStore {
  return new MemoryStore();
}

class MemoryStore implements SessionStore {
  /** By id: ids are unique in a store, not in a tenant. */
  readonly #sessions = new Map<string, StoredSession>();
  /** By id, oldest first. */
  readonly #turns = new Map<string, TurnUsage>();
  /** Oldest first. */
  #passages: StoredPassage[] = [];
  #isClosed = false;

  async create(record: SessionRecord): Promise<SessionClaim> {
    this.#refuseClosed();
    if (this.#sessions.has(record.id)) throw idTaken();
    const session = {
      ...{ record, epoch: 1, floor: start, head: start, indexedUpTo: start },
      ...{ events: [], keys: new Map<string, number>() },
    };
    this.#sessions.set(record.id, session);
    return claimOf(session);
  }

  async claim(tenant: string, id: string): Promise<SessionClaim> {
    const session = this.#existing(tenant, id);
    session.epoch += 1;
    return claimOf(session);
  }

  async append(claim: SessionClaim, events: readonly NewEvent[]): Promise<readonly StoredEvent[]> {
    const session = this.#claimed(claim);
    checkEvents(events);
    const stored: StoredEvent[] = [];
    for (const { at, type, payload, key } of events) {
      if (key !== undefined && session.keys.has(key)) continue;
      session.head = { epoch: session.epoch, sequence: session.head.sequence + 1 };
      const next = { at, type, payload, key, ...session.head };
      if (key !== undefined) session.keys.set(key, next.sequence);
      session.events.push(next);
      stored.push(next);
    }
    return stored;
  }

  async update(claim: SessionClaim, change: RecordChange): Promise<void> {
    const session = this.#claimed(claim);
    session.record = { ...session.record, ...change };
  }

  async find(tenant: string, id: string): Promise<SessionRecord | undefined> {
    return this.#find(tenant, id)?.record;
  }

  async read(
    { tenant, id, after }: { readonly tenant: string; readonly id: string; readonly after: Cursor },
    { limit, types }: { readonly limit: number; readonly types?: readonly string[] },
  ): Promise<EventPage> {
    checkLimit(limit);
    const { events, floor, head } = this.#existing(tenant, id);
    const gap = gapAfter(after, { floor, head }, (sequence) => events[sequence - floor.sequence - 1]?.epoch);
    if (gap !== undefined) return { gap, floor, head };
    const page: StoredEvent[] = [];
    let left = pageCharacters;
    for (
      let index = after.sequence - floor.sequence;
      index < events.length && page.length < limit && left > 0;
      index++
    ) {
      const event = events[index];
      if (event === undefined || types?.includes(event.type) === false) continue;
      left -= event.payload.length;
      if (left >= 0 || page.length === 0) page.push(event);
    }
    return { events: page, head };
  }

  async findByKey(tenant: string, id: string, key: string): Promise<StoredEvent | undefined> {
    const { keys, events, floor } = this.#existing(tenant, id);
    const sequence = keys.get(key);
    return sequence === undefined ? undefined : events[sequence - floor.sequence - 1];
  }

  async findLast(tenant: string, id: string, types: readonly string[]): Promise<StoredEvent | undefined> {
    return this.#existing(tenant, id).events.findLast(({ type }) => types.includes(type));
  }

  async list(query: SessionQuery): Promise<SessionPage> {
    this.#refuseClosed();
    checkLimit(query.limit);
    const after = placeAfter(query);
    const records = [...this.#sessions.values()]
      .map(({ record }) => record)
      .filter(({ tenant, cwd }) => tenant === query.tenant && (query.cwd === undefined || cwd === query.cwd))
      .filter((record) => after === undefined || lastUsedFirst(after, record) < 0)
      .toSorted(lastUsedFirst);
    const sessions = records.slice(0, query.limit);
    const last = sessions.at(-1);
    return { sessions, ...(last && records.length > sessions.length && { next: nextPage(last) }) };
  }

  async index(claim: SessionClaim, { passages, upTo }: IndexedTexts): Promise<void> {
    const session = this.#claimed(claim);
    const { id } = session.record;
    session.indexedUpTo = upTo;
    if (passages.some(({ kind }) => kind === 'title')) this.#dropPassages(id, ({ kind }) => kind === 'title');
    for (const passage of passages) if (passage.text !== '') this.#passages.push({ session: id, passage });
  }

  async search({ tenant, session, text, limit }: TextQuery): Promise<readonly FoundSession<SessionRecord>[]> {
    this.#refuseClosed();
    checkLimit(limit);
    const words = queryWords(text);
    const found = new FoundSessions<SessionRecord>(limit);
    if (words.length === 0) return [];
    for (const { session: id, passage } of this.#passages.toReversed()) {
      const record = this.#find(tenant, id)?.record;
      if (!record || (session !== undefined && session !== id) || !isMatch(passage.text, words)) continue;
      if (!found.add(id, passage, () => record)) break;
    }
    return found.all;
  }

  async use(tenant: string): Promise<StoredUse> {
    this.#refuseClosed();
    const own = [...this.#sessions.values()].filter(({ record }) => record.tenant === tenant);
    const payloads = own.flatMap(({ events }) => events.map(({ payload }) => payload));
    return {
      sessions: own.length,
      storedBytes: payloads.reduce((sum, payload) => sum + Buffer.byteLength(payload), 0),
    };
  }

  async trim(claim: SessionClaim, upTo: Cursor): Promise<void> {
    const session = this.#claimed(claim);
    const { events, floor, head } = session;
    if (gapAfter(upTo, { floor, head }, (sequence) => events[sequence - floor.sequence - 1]?.epoch) !== undefined)
      throw notInLog(upTo);
    events.splice(0, upTo.sequence - floor.sequence);
    session.floor = upTo;
    this.#dropPassages(session.record.id, ({ kind, sequence }) => kind !== 'title' && sequence <= upTo.sequence);
  }

  async delete(tenant: string, id: string): Promise<void> {
    this.#existing(tenant, id);
    this.#sessions.delete(id);
    this.#dropPassages(id, () => true);
  }

  async recordUsage(turn: TurnUsage): Promise<void> {
    this.#refuseClosed();
    this.#turns.set(turn.id, turn);
  }

  async usage({ tenant, session, since = '', by }: UsageQuery): Promise<readonly UsageRow[]> {
    this.#refuseClosed();
    const turns = [...this.#turns.values()].filter(
      (turn) => turn.tenant === tenant && turn.day >= since && (session === undefined || turn.session === session),
    );
    return usageRows(sumsByCurrency(turns, by), by);
  }

  async lastReported(tenant: string, agentSession: string): Promise<number | undefined> {
    this.#refuseClosed();
    return [...this.#turns.values()].findLast(
      (turn) => turn.tenant === tenant && turn.reported?.agentSession === agentSession,
    )?.reported?.amount;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#sessions.clear();
    this.#turns.clear();
    this.#passages = [];
  }

  #dropPassages(id: string, isDropped: (passage: Passage) => boolean): void {
    this.#passages = this.#passages.filter(({ session, passage }) => session !== id || !isDropped(passage));
  }

  #find(tenant: string, id: string): StoredSession | undefined {
    this.#refuseClosed();
    const session = this.#sessions.get(id);
    return session?.record.tenant === tenant ? session : undefined;
  }

  #existing(tenant: string, id: string): StoredSession {
    const session = this.#find(tenant, id);
    if (session === undefined) throw notFound();
    return session;
  }

  #claimed({ record: { tenant, id }, epoch }: SessionClaim): StoredSession {
    const session = this.#find(tenant, id);
    if (session?.epoch !== epoch) throw fenced();
    return session;
  }

  #refuseClosed(): void {
    if (this.#isClosed) throw new StoreError('failed', 'the store is closed');
  }
}

function claimOf({ record, epoch, head, indexedUpTo }: StoredSession): SessionClaim {
  return { record, epoch, head, indexedUpTo };
}

/** Whether a text has a word that begins with each of some words. */
function isMatch(text: string, words: readonly string[]): boolean {
  const forms = [...placedWords(text)].flatMap((word) => word.forms);
  return words.every((word) => forms.some((form) => form.startsWith(word)));
}

function lastUsedFirst(one: ListPlace, other: ListPlace): number {
  return other.updatedAt - one.updatedAt || (one.id < other.id ? -1 : Number(one.id > other.id));
}

function sumsByCurrency(turns: readonly TurnUsage[], by: UsageQuery['by']): readonly CurrencySum[] {
  return turns.map((turn) => ({
    key: by === undefined ? null : turn[by],
    currency: turn.cost?.currency ?? null,
    cost: turn.cost?.amount ?? 0,
    ...{ turns: 1, milliseconds: turn.milliseconds },
    ...(turn.tokens ?? noUsage.tokens),
    turnsWithoutTokens: turn.tokens ? 0 : 1,
  }));
}
