import type { ProtocolError } from '@turnwire/protocol';
import { notStored } from './session-refusals.ts';

/** Whether a session ends, and why: it is closed, or it cannot be stored. */
export class SessionEnding {
  #failure: Error | undefined;
  #underWay: Promise<void> | undefined;
  #isOver = false;

  /** Whether nothing follows any more. */
  get hasBegun(): boolean {
    return this.#failure !== undefined || this.#underWay !== undefined || this.#isOver;
  }

  /** Whether the session has ended. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** What every prompt is answered with, once the session cannot be stored. */
  get unstored(): ProtocolError | undefined {
    return this.#failure && notStored(this.#failure);
  }

  /** Resolves when the end that is under way is over, or could not be reached; undefined: there is none. */
  get underWay(): Promise<void> | undefined {
    return this.#underWay?.catch(() => undefined);
  }

  /** The session cannot be stored. False: that was known. */
  fail(error: Error): boolean {
    if (this.#failure) return false;
    this.#failure = error;
    return true;
  }

  /** The session is being ended. Settles as what ends it does. */
  async during(end: Promise<void>): Promise<void> {
    this.#underWay = end;
    try {
      await end;
    } finally {
      if (this.#underWay === end) this.#underWay = undefined;
    }
  }

  /** The session has ended. False: it had before. */
  finish(): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    return true;
  }
}
