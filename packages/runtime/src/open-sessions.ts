import type { Session } from './session/session.ts';

/** The sessions of this process, by id. */
export class OpenSessions implements Iterable<Session> {
  /** Those that are being opened, too. */
  readonly #all = new Map<string, Promise<Session>>();
  readonly #open = new Map<string, Session>();

  /** With those that are being opened. */
  get size(): number {
    return this.#all.size;
  }

  /** With those that are being opened: they may yet fail to open. */
  get all(): readonly Promise<Session>[] {
    return [...this.#all.values()];
  }

  /** How many have a turn that runs or waits. */
  get working(): number {
    return [...this].filter(({ turns }) => turns.areUnderWay).length;
  }

  /** How many have an agent: of all tenants, or of one. */
  awake(tenant?: string): number {
    return [...this].filter(({ record, isAwake }) => isAwake && (tenant ?? record.tenant) === record.tenant).length;
  }

  /** Those that are open. */
  [Symbol.iterator](): Iterator<Session> {
    return this.#open.values();
  }

  /** Whether a session is open, or is being opened. */
  has(id: string): boolean {
    return this.#all.has(id);
  }

  /** A session once it is open; undefined if nobody has opened it. */
  get(id: string): Promise<Session> | undefined {
    return this.#all.get(id);
  }

  /** What a session that is open does. */
  activityOf(id: string): Session['activity'] {
    return this.#open.get(id)?.activity;
  }

  /** Several may ask for a session at once: the first one opens it. One that is being ended is opened anew after that. */
  async once(id: string, open: () => Promise<Session>): Promise<Session> {
    await this.#open.get(id)?.ending;
    const known = this.#all.get(id);
    if (known) return known;
    const opening = open();
    this.#all.set(id, opening);
    opening.catch(() => this.#all.delete(id));
    return opening;
  }

  /** A session was opened. */
  add(host: Session): void {
    this.#open.set(host.id, host);
    if (!this.#all.has(host.id)) this.#all.set(host.id, Promise.resolve(host));
  }

  /** A session has ended. */
  delete(id: string): void {
    this.#all.delete(id);
    this.#open.delete(id);
  }
}
