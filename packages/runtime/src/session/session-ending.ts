import type { ProtocolError } from '@turnwire/protocol';
import { closed } from '../agent/endings.ts';
import type { SessionStore } from '../store/session-store.ts';
import { notStored } from './session-refusals.ts';
import type { StoredRecord } from './stored-record.ts';

/** The session that ends. */
export interface SessionEndingParts {
  readonly store: SessionStore;
  readonly record: StoredRecord;
  /** Ends the agent, and stores what is left to store. */
  readonly park: () => Promise<void>;
  /** Ends the agent. */
  readonly endAgent: () => Promise<void>;
  /** Called once, when the session has ended. */
  readonly onEnded: () => void;
}

/** The end of a session: it is closed, or it cannot be stored. */
export class SessionEnding {
  /** The error for every prompt once the session cannot be stored. */
  unstored: ProtocolError | undefined;
  readonly #parts: SessionEndingParts;
  #isOver = false;
  #underWay: Promise<void> | undefined;

  constructor(parts: SessionEndingParts) {
    this.#parts = parts;
  }

  /** Whether the session ends or has ended. */
  get hasBegun(): boolean {
    return this.unstored !== undefined || this.#underWay !== undefined || this.#isOver;
  }

  /** Resolves when the end that is under way is over, or has failed; undefined: none is under way. */
  get underWay(): Promise<void> | undefined {
    return this.#underWay?.catch(() => undefined);
  }

  /** Throws if the session has ended or cannot be stored. */
  refuse(): void {
    if (this.unstored) throw this.unstored;
    if (this.#isOver) throw closed();
  }

  /** Closes the session. Deletes one that was never prompted. `asClosed`: records that a client closed it. */
  close({ asClosed }: { readonly asClosed: boolean }): Promise<void> {
    const { store, record, park } = this.#parts;
    return this.#during(async () => {
      await park();
      const { isPrompted, isKept } = record.facts;
      if (!isPrompted && !isKept) {
        const { tenant, id } = record.current;
        await store.delete(tenant, id).catch((error: unknown) => this.fail(error as Error));
      } else if (asClosed) record.save({ closedAt: Date.now() });
      await record.saved;
    });
  }

  /** Ends a session that cannot be stored: clients see only stored events. */
  async fail(error: Error): Promise<void> {
    if (this.unstored) return;
    this.unstored = notStored(error);
    await this.#during(this.#parts.endAgent);
  }

  async #during(end: () => Promise<void>): Promise<void> {
    const ending = end().then(() => {
      if (this.#isOver) return;
      this.#isOver = true;
      this.#parts.onEnded();
    });
    this.#underWay = ending;
    try {
      await ending;
    } finally {
      if (this.#underWay === ending) this.#underWay = undefined;
    }
  }
}
