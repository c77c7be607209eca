import type { RecordChange, SessionClaim, SessionRecord, SessionStore } from '../store/session-store.ts';
import type { SessionFacts } from './session-facts.ts';

/** What a record is stored with. */
export interface StoredRecordParts {
  readonly store: SessionStore;
  readonly claim: SessionClaim;
  /** Called when the store refused a change. */
  readonly onFailed: (error: Error) => Promise<void>;
}

const nothingToSave: Promise<void> = Promise.resolve();

/** The record of a session that this process owns: a change counts at once, and is stored behind those before it. */
export class StoredRecord {
  readonly #parts: StoredRecordParts;
  #current: SessionRecord;
  #saving: Promise<void> = nothingToSave;

  constructor(parts: StoredRecordParts) {
    this.#parts = parts;
    this.#current = parts.claim.record;
  }

  get current(): SessionRecord {
    return this.#current;
  }

  get facts(): SessionFacts {
    return this.#current.facts;
  }

  /** Resolves when every change so far is stored, or was refused. */
  get saved(): Promise<void> {
    return this.#saving;
  }

  save(change: RecordChange): void {
    this.#current = { ...this.#current, ...change };
    const { store, claim, onFailed } = this.#parts;
    this.#saving = this.#saving
      .then(() => store.update(claim, change))
      .catch((error: unknown) => onFailed(error as Error));
  }

  note(facts: Partial<SessionFacts>): void {
    this.save({ facts: { ...this.#current.facts, ...facts } });
  }
}
