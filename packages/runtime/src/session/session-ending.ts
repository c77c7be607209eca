import type { ProtocolError } from '@turnwire/protocol';
import { notStored } from './session-refusals.ts';

/** Whether a session ends, and why: it is closed, or it cannot be stored. */
export class SessionEnding {
  /** The error for every prompt once the session cannot be stored. */
  unstored: ProtocolError | undefined;
  /** Whether the session has ended. */
  isOver = false;
  #underWay: Promise<void> | undefined;

  /** Whether the session ends or has ended. */
  get hasBegun(): boolean {
    return this.unstored !== undefined || this.#underWay !== undefined || this.isOver;
  }

  /** Resolves when the end that is under way is over, or has failed; undefined: none is under way. */
  get underWay(): Promise<void> | undefined {
    return this.#underWay?.catch(() => undefined);
  }

  /** Records that the session cannot be stored. Returns false if that was known. */
  fail(error: Error): boolean {
    if (this.unstored) return false;
    this.unstored = notStored(error);
    return true;
  }

  /** Ends the session. Settles as `end` does. */
  async during(end: Promise<void>): Promise<void> {
    this.#underWay = end;
    try {
      await end;
    } finally {
      if (this.#underWay === end) this.#underWay = undefined;
    }
  }

  /** Records that the session has ended. Returns false if that was known. */
  finish(): boolean {
    if (this.isOver) return false;
    this.isOver = true;
    return true;
  }
}
