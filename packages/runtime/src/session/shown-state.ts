import type { SessionLog } from '../log/session-log.ts';
import type { SessionState } from './session-state.ts';

/** The session whose state it is. */
export interface StateOwner {
  readonly log: SessionLog;
  /** Another state is to be shown. */
  notify(): void;
}

/** What the agent of a session does, as clients are shown it: never before the events that led to it. */
export class ShownState {
  readonly #session: StateOwner;
  #shown: SessionState;
  #next: SessionState;

  constructor(first: SessionState, session: StateOwner) {
    this.#shown = this.#next = first;
    this.#session = session;
  }

  get current(): SessionState {
    return this.#shown;
  }

  /** Is shown once the events so far are stored. */
  become(state: SessionState): void {
    if (state === this.#next) return;
    this.#next = state;
    this.#session.log.onceStored(() => {
      this.#shown = state;
      this.#session.notify();
    });
  }
}
