import type { SessionUpdate } from '@turnwire/protocol';
import { cursorText } from '../log/cursor-text.ts';
import { type LoggedEvent, type SessionEvent, updateText } from '../log/session-event.ts';
import { joinedTexts } from '../log/joined-texts.ts';
import type { SessionLog } from '../log/session-log.ts';
import type { Cursor } from '../store/session-store.ts';
import type { HostedClient } from './hosted-client.ts';
import { nothingWaits, type WaitingPrompt } from './prompt-line.ts';
import type { SessionState } from './session-state.ts';
import { eventFor, isShownAsItIs, shownEvent } from './shown-event.ts';

/** The session that a client is attached to. */
export interface AttachedSession {
  readonly id: string;
  readonly log: SessionLog;
  /** The prompts that wait in the session now. */
  readonly waiting: readonly WaitingPrompt[];
  /** What the agent of the session does now; the same object until that changes. */
  readonly shownState: SessionState;
  /** Called whenever the client has all events. */
  caughtUp(client: AttachedClient): void;
  /** Called once, when the client is detached and nothing more is sent. */
  ended(client: AttachedClient): void;
}

/** Who waits until a client has been sent an event. */
interface Waiter {
  readonly sequence: number;
  readonly resolve: () => void;
}

/** Most clients have nobody who waits: they share it. */
const noWaiters: readonly Waiter[] = [];

/**
 * A client of a session. It reads the log at its own pace from its own cursor, whether that is history or what was stored a moment ago: a
 * client that stops reading costs one page of memory, and no one's time.
 */
export class AttachedClient {
  readonly client: HostedClient;
  readonly #session: AttachedSession;
  /** The last event it was sent. Two numbers: an object for each would be old by the time it is replaced, and collected at a high price. */
  #epoch: number;
  #sequence: number;
  /** The parameters of its updates, up to the update. */
  readonly #head: string;
  /** What the client is shown although it may be its own. */
  readonly #historyEnd: number;
  /** Nothing is sent beyond this event until {@link goLive}. */
  #pausedAt: number;
  /** The client started the session: it gets the agent's early updates after the answer, which already contains the set-up. */
  readonly #begins: boolean;
  /** The waiting prompts it was last sent. */
  #shownWaiting = nothingWaits;
  /** The state it was last sent. */
  #shownState: SessionState;
  #isDetached = false;
  #isLive = false;
  #isSending = false;
  /** There may be something to send that was not looked at. */
  #isDue = false;
  #waiters: readonly Waiter[] = noWaiters;

  /** @param after the last event that the client has */
  constructor(
    client: HostedClient,
    session: AttachedSession,
    { after, begins = false }: { readonly after: Cursor; readonly begins?: boolean | undefined },
  ) {
    this.client = client;
    this.#session = session;
    this.#epoch = after.epoch;
    this.#sequence = after.sequence;
    this.#head = `{"sessionId":${JSON.stringify(session.id)},"update":`;
    this.#shownState = session.shownState;
    this.#historyEnd = session.log.head.sequence;
    this.#begins = begins;
    this.#pausedAt = begins ? after.sequence : this.#historyEnd;
    this.#wake();
  }

  /** It has been sent every event there is. */
  get isCaughtUp(): boolean {
    return this.#isLive && this.#sequence >= this.#session.log.head.sequence;
  }

  /** The last event it was sent. */
  get position(): Cursor {
    return { epoch: this.#epoch, sequence: this.#sequence };
  }

  /** Whether it has been sent an event. */
  has(sequence: number): boolean {
    return this.#sequence >= sequence;
  }

  /** Resolves when the history has been sent, up to the head at the time it was attached. */
  get replayed(): Promise<void> {
    return this.reached(Math.min(this.#historyEnd, this.#pausedAt));
  }

  /** Sends what comes after the history, once the answer that ends it was sent. */
  goLive(): void {
    this.#pausedAt = Infinity;
    this.#wake();
  }

  /** There may be more in the log. */
  notify(): void {
    this.#wake();
  }

  /** Resolves when the client has been sent an event, or is gone. */
  reached(sequence: number): Promise<void> {
    if (this.#isDetached || this.has(sequence)) return Promise.resolve();
    return new Promise((resolve) => (this.#waiters = [...this.#waiters, { sequence, resolve }]));
  }

  detach(): void {
    if (this.#isDetached) return;
    this.#isDetached = true;
    this.#wake();
    this.#settle();
  }

  #wake(): void {
    this.#isDue = true;
    if (!this.#isSending) this.#sendDue();
  }

  /** Sends until there is nothing more, or something has to be waited for: a client that keeps up costs no promise. */
  #sendDue(): void {
    this.#isSending = true;
    while (this.#isDue && !this.#isDetached) {
      // Before the log is looked at: what is stored meanwhile must not be missed.
      this.#isDue = false;
      const waiting = this.#sendPage();
      // Without its log there is nothing to send.
      if (waiting) return void waiting.catch(() => this.detach()).then(() => this.#sendDue());
    }
    this.#isSending = false;
    if (this.#isDetached) this.#session.ended(this);
  }

  #sendPage(): Promise<void> | undefined {
    try {
      return this.#sendNext();
    } catch {
      return void this.detach();
    }
  }

  #sendNext(): Promise<void> | undefined {
    if (this.#sequence >= this.#pausedAt) return this.#sendEvents([]);
    const { log } = this.#session;
    const events = log.recentAfter(this.position);
    return events ? this.#sendEvents(events) : log.pageAfter(this.position).then((page) => this.#sendEvents(page));
  }

  #sendEvents(events: readonly LoggedEvent[]): Promise<void> | undefined {
    if (events.length === 0) return this.#sendRest(events);
    const waiting = this.client.readsBatches ? this.#sendBatch(events) : this.#sendAll(events);
    return waiting ? waiting.then(() => this.#sendRest(events)) : this.#sendRest(events);
  }

  /** What comes after a page: what is not in the log, and the next page. */
  #sendRest(sent: readonly LoggedEvent[]): Promise<void> | undefined {
    if (this.#isShownMore && this.#isMore) return this.#sendBeside().then(() => this.#sentAll(sent));
    return this.#sentAll(sent);
  }

  #sentAll({ length }: readonly LoggedEvent[]): undefined {
    if (length > 0) return void (this.#isDue = true);
    this.#isLive = this.#pausedAt === Infinity;
    if (this.isCaughtUp) this.#session.caughtUp(this);
  }

  /** The last one is waited for, if there is no room for it, which has room when all before it have: a page is what a client may be behind. */
  #sendAll(events: readonly LoggedEvent[]): Promise<void> | undefined {
    let sending: Promise<unknown> | undefined;
    for (const stored of events) {
      if (this.#isDetached || stored.sequence > this.#pausedAt) break;
      sending = this.#send(stored);
      this.#hasNow(stored);
    }
    if (!sending) return this.#settle();
    return sending.then(
      () => this.#settle(),
      () => this.detach(),
    );
  }

  /** Whether the answer to `session/new` already contains an event. */
  #hasInAnswer({ sequence, event }: LoggedEvent): boolean {
    return this.#begins && sequence <= this.#historyEnd && event.type !== 'update';
  }

  #hasNow({ epoch, sequence }: Cursor): void {
    this.#epoch = epoch;
    this.#sequence = sequence;
  }

  async #sendBatch(events: readonly LoggedEvent[]): Promise<void> {
    const passed = events.filter(({ sequence }) => sequence <= this.#pausedAt);
    const last = passed.at(-1);
    if (this.#isDetached || !last) return;
    const due = passed.filter((logged) => !this.#hasInAnswer(logged));
    const { id: sessionId } = this.#session;
    const batch = joinedTexts(due).map(({ event, epoch, sequence }) => ({
      cursor: cursorText({ epoch, sequence }),
      event: eventFor(event, this.client.capabilities),
    }));
    if (batch.length > 0)
      await this.client.peer.raw.notify('_turnwire/events', { sessionId, events: batch }).catch(() => this.detach());
    this.#hasNow(last);
    this.#settle();
  }

  /** It is shown what is not in the log: who reads slowly misses what was so in between. */
  get #isShownMore(): boolean {
    return this.#pausedAt === Infinity && this.client.readsEvents;
  }

  get #isMore(): boolean {
    return this.#session.waiting !== this.#shownWaiting || this.#session.shownState !== this.#shownState;
  }

  async #sendBeside(): Promise<void> {
    const { id: sessionId, waiting: line, shownState: now } = this.#session;
    const sent: Promise<void>[] = [];
    if (line !== this.#shownWaiting)
      sent.push(this.client.peer.notify('_turnwire/queue', { sessionId, waiting: line }));
    if (now !== this.#shownState) sent.push(this.client.peer.notify('_turnwire/state', { sessionId, state: now }));
    this.#shownWaiting = line;
    this.#shownState = now;
    if (sent.length > 0) await Promise.all(sent).catch(() => this.detach());
  }

  #send(logged: LoggedEvent): Promise<unknown> | undefined {
    const { event } = logged;
    const { author, readsEvents, readsOwnPrompts, capabilities } = this.client;
    if (event.type === 'update' && isShownAsItIs(event))
      return this.#notifyWritten(updateText(event, logged.payload), logged);
    if (this.#hasInAnswer(logged)) return undefined;
    const isOwn = event.by?.connection === author.connection && logged.sequence > this.#historyEnd;
    const shown = shownEvent(event, { readsEvents, isOwn: isOwn && !readsOwnPrompts, capabilities });
    if (shown.updates === undefined) return this.#notifyEvent(shown.event, logged);
    const [update, ...more] = shown.updates;
    const sending = update && this.#notifyUpdate(update, logged);
    return more.length === 0
      ? sending
      : Promise.all([sending, ...more.map((each) => this.#notifyUpdate(each, logged))]);
  }

  /** Updates were checked when they came from the agent; those that this version does not know are passed on as well. */
  #notifyUpdate(update: SessionUpdate, logged: LoggedEvent): Promise<void> | undefined {
    return this.#notifyWritten(JSON.stringify(update), logged);
  }

  /** Updates are passed on as they were written for the log. */
  #notifyWritten(update: string, logged: LoggedEvent): Promise<void> | undefined {
    const { event } = logged;
    const turn = event.type === 'prompt' ? `,"turnId":${JSON.stringify(event.turnId)}` : '';
    const by = event.by ? `,"by":${JSON.stringify(event.by)}` : '';
    const turnwire = `{"cursor":"${cursorText(logged)}","at":${event.at}${turn}${by}}`;
    const params = `${this.#head}${update},"_meta":{"turnwire":${turnwire}}}`;
    return this.client.peer.raw.notifyWritten('session/update', params, this.#session.id);
  }

  #notifyEvent(event: SessionEvent, cursor: Cursor): Promise<void> {
    const { id: sessionId } = this.#session;
    return this.client.peer.notify('_turnwire/event', { sessionId, cursor: cursorText(cursor), event });
  }

  #settle(): undefined {
    if (this.#waiters.length === 0) return undefined;
    const isReached = (sequence: number): boolean => this.#isDetached || this.has(sequence);
    for (const { sequence, resolve } of this.#waiters) if (isReached(sequence)) resolve();
    const left = this.#waiters.filter(({ sequence }) => !isReached(sequence));
    this.#waiters = left.length === 0 ? noWaiters : left;
  }
}
