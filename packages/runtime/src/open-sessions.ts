import type { Session } from './session/session.ts';

/** The sessions of this process, by id. */
export class OpenSessions implements Iterable<Session> {
  /** Including those that are being opened. */
  readonly #all = new Map<string, Promise<Session>>();
  readonly #open = new Map<string, Session>();

  /** The number of sessions, including those that are being opened. */
  get size(): number {
    return this.#all.size;
  }

  /** All sessions, including those that are being opened and may still fail to open. */
  get all(): readonly Promise<Session>[] {
    return [...this.#all.values()];
  }

  /** The number of sessions with a turn that runs or waits. */
  get working(): number {
    return [...this].filter(({ turns }) => turns.areUnderWay).length;
  }

  /** The number of sessions with an agent: of all tenants, or of one. */
  awake(tenant?: string): number {
    return [...this].filter(({ record, isAwake }) => isAwake && (tenant ?? record.tenant) === record.tenant).length;
  }

  /** The open sessions. */
  [Symbol.iterator](): Iterator<Session> {
    return this.#open.values();
  }

  /** Whether a session is open, or is being opened. */
  has(id: string): boolean {
    return this.#all.has(id);
  }

  /** The session, once it is open; undefined if it was not opened. */
  get(id: string): Promise<Session> | undefined {
    return this.#all.get(id);
  }

  /** The activity of an open session. */
  activityOf(id: string): Session['activity'] {
    return this.#open.get(id)?.activity;
  }

  /** Opens a session unless it is open: calls at the same time share one opening. A session that is ending opens again after its end. */
  async once(id: string, open: () => Promise<Session>): Promise<Session> {
    await this.#open.get(id)?.ending;
    const known = this.#all.get(id);
    if (known) return known;
    const opening = open();
    this.#all.set(id, opening);
    opening.catch(() => this.#all.delete(id));
    return opening;
  }

  /** Adds a session that was opened. */
  add(session: Session): void {
    this.#open.set(session.id, session);
    if (!this.#all.has(session.id)) this.#all.set(session.id, Promise.resolve(session));
  }

  /** Removes a session that has ended. */
  delete(id: string): void {
    this.#all.delete(id);
    this.#open.delete(id);
  }
}
