import { isStateUpdate } from '@turnwire/client/transcript';
import type { SessionUpdate } from '@turnwire/protocol';
import { pause } from '@turnwire/machine/waits';

/** Milliseconds without updates after which a late replay counts as finished. */
const quietFor = 300;
/** Milliseconds after which it counts as finished in any case. */
const atMost = 10_000;

/** The replay of a stored session by an agent that answers `session/load` first. */
export class LateReplay {
  #hasReceived = false;

  /** Receives an update. Returns whether it belongs to the replay: messages and tool calls do, the current state does not. */
  receive(update: SessionUpdate): boolean {
    this.#hasReceived = true;
    return !isStateUpdate(update);
  }

  /** Resolves when no updates have arrived for a moment, or the signal aborts. */
  async settled(signal: AbortSignal): Promise<void> {
    const last = Date.now() + atMost;
    do {
      this.#hasReceived = false;
      await pause(quietFor, signal).catch(() => undefined);
    } while (this.#hasReceived && Date.now() < last && !signal.aborted);
  }
}
