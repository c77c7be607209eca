import type { RecordChange, SessionClaim, SessionRecord, SessionStore } from '../store/session-store.ts';
import type { SessionFacts } from './session-facts.ts';

/** The inputs of a stored record. */
export interface StoredRecordParts {
  readonly store: SessionStore;
  readonly claim: SessionClaim;
  /** Called when the store refused a change. */
  readonly onFailed: (error: Error) => Promise<void>;
}

const nothingToSave: Promise<void> = Promise.resolve();

/** The record of a session that this process owns. A change counts at once, and is stored after the changes before it. */
export class StoredRecord {
  readonly #parts: StoredRecordParts;
  current: SessionRecord;
  /** Resolves when every change so far is stored, or was refused. */
  saved: Promise<void> = nothingToSave;

  constructor(parts: StoredRecordParts) {
    this.#parts = parts;
    this.current = parts.claim.record;
  }

  get facts(): SessionFacts {
    return this.current.facts;
  }

  save(change: RecordChange): void {
    this.current = { ...this.current, ...change };
    const { store, claim, onFailed } = this.#parts;
    this.saved = this.saved.then(() => store.update(claim, change)).catch((error: unknown) => onFailed(error as Error));
  }

  note(facts: Partial<SessionFacts>): void {
    this.save({ facts: { ...this.current.facts, ...facts } });
  }
}
