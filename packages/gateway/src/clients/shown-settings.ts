import type { SessionUpdate } from '@turnwire/protocol';

/**
 * The mode and the options that a client has received. Both an agent and the gateway report a change: the gateway does it for agents that only
 * answer the request. A client receives each change once.
 */
export class ShownSettings {
  #mode: string | undefined;
  #options: string | undefined;

  /** Records an update for the client. Returns false if it repeats what the client knows; updates about anything else never do. */
  isNews(update: SessionUpdate): boolean {
    if (update.sessionUpdate === 'current_mode_update') {
      const before = this.#mode;
      this.#mode = JSON.stringify(update);
      return this.#mode !== before;
    }
    if (update.sessionUpdate === 'config_option_update') {
      const before = this.#options;
      this.#options = JSON.stringify(update);
      return this.#options !== before;
    }
    return true;
  }
}
