import type { SessionLog } from '../log/session-log.ts';
import type { SessionState } from './session-state.ts';

/** What the agent of a session does, as clients are shown it: never before the events that led to it. */
export class ShownState {
  readonly #log: SessionLog;
  readonly #onShown: () => void;
  #shown: SessionState;
  #next: SessionState;

  /** @param onShown called when another state is to be shown */
  constructor(first: SessionState, log: SessionLog, onShown: () => void) {
    this.#shown = this.#next = first;
    this.#log = log;
    this.#onShown = onShown;
  }

  get current(): SessionState {
    return this.#shown;
  }

  /** Is shown once the events so far are stored. */
  become(state: SessionState): void {
    if (state === this.#next) return;
    this.#next = state;
    this.#log.onceStored(() => {
      this.#shown = state;
      this.#onShown();
    });
  }
}
