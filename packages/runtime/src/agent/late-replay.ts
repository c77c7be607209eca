import { stateUpdates } from '@turnwire/client/transcript';
import type { SessionUpdate } from '@turnwire/protocol';
import { pause } from '@turnwire/machine/waits';

/** Milliseconds without updates after which a late replay counts as finished. */
const quietFor = 300;
/** Milliseconds after which it counts as finished in any case. */
const atMost = 10_000;

/** The updates of a stored session that an agent sends after it has answered that the session is loaded. */
export class LateReplay {
  #hasReceived = false;

  /** Processes an update. True if it belongs to the replay: messages and tool calls do, the current state does not. */
  receive({ sessionUpdate }: SessionUpdate): boolean {
    this.#hasReceived = true;
    return !stateUpdates.includes(sessionUpdate);
  }

  /** Resolves when no updates have come for a moment, or the signal aborts. */
  async settled(signal: AbortSignal): Promise<void> {
    const last = Date.now() + atMost;
    do {
      this.#hasReceived = false;
      await pause(quietFor, signal).catch(() => undefined);
    } while (this.#hasReceived && Date.now() < last && !signal.aborted);
  }
}
