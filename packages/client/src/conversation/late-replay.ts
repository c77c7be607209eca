import type { SessionUpdate } from '@turnwire/protocol';
import { pause } from '@turnwire/machine/waits';

/** How long an agent that replays late has to be quiet before its replay counts as over, in milliseconds. */
const quietFor = 300;
/** After which time it counts as over in any case, in milliseconds. */
const atMost = 10_000;

/** What an agent tells of a stored session after it has said that the session is loaded. */
export class LateReplay {
  #hasHeard = false;

  /** Takes note of an update. True if it replays the past: messages and tool calls do, what the session is like now does not. */
  hear({ sessionUpdate }: SessionUpdate): boolean {
    this.#hasHeard = true;
    return present.every((each) => each !== sessionUpdate);
  }

  /** Resolves when the agent has been quiet for a moment, or the signal aborts. */
  async settled(signal: AbortSignal): Promise<void> {
    const last = Date.now() + atMost;
    do {
      this.#hasHeard = false;
      await pause(quietFor, signal).catch(() => undefined);
    } while (this.#hasHeard && Date.now() < last && !signal.aborted);
  }
}

/** Updates about what is so now. */
const present: readonly string[] = [
  'available_commands_update',
  'current_mode_update',
  'config_option_update',
  'session_info_update',
  'usage_update',
  'notice',
];
