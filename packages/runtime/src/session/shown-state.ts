import type { AgentState, WaitingPrompt } from '@turnwire/protocol';
import { parked } from '../agent/agent-status.ts';
import type { SessionLog } from '../log/session-log.ts';
import { nothingWaits } from './prompt-queue.ts';
import type { ShownSession } from './subscriber.ts';

/** The part of a session that subscribers see besides events. */
export class ShownState implements ShownSession {
  waiting: readonly WaitingPrompt[] = nothingWaits;
  state: AgentState = parked;
  readonly #log: SessionLog;
  readonly #onChange: () => void;

  constructor(log: SessionLog, onChange: () => void) {
    this.#log = log;
    this.#onChange = onChange;
  }

  showWaiting(waiting: readonly WaitingPrompt[]): void {
    this.waiting = waiting;
    this.#onChange();
  }

  /** Shows a state of the agent once the events that led to it are stored. */
  showState(state: AgentState): void {
    this.#log.onceStored(() => {
      if (this.state === state) return;
      this.state = state;
      this.#onChange();
    });
  }
}
