import { pause } from '@turnwire/machine/waits';
import type { ConversationOptions } from './conversation-options.ts';

/** How long to wait before looking at the clock again, in milliseconds. */
const longestPause = 1_000;

/** Keeps a session from being loaded sooner than its agent can bear. */
export class LoadWait {
  readonly #notBefore: ConversationOptions['loadNotBefore'];
  #setUpAt: number | undefined;

  constructor({ loadNotBefore, setUpAt }: Pick<ConversationOptions, 'loadNotBefore' | 'setUpAt'>) {
    this.#notBefore = loadNotBefore;
    this.#setUpAt = setUpAt;
  }

  /** The session is made or loaded now. */
  setUp(): void {
    this.#setUpAt = Date.now();
  }

  /** What there is to wait for, if there is. */
  begin(): { readonly until: number; readonly title: string; readonly description: string } | undefined {
    const now = Date.now();
    const until = this.#notBefore?.(this.#setUpAt ?? now) ?? now;
    if (until <= now) return undefined;
    const title = `Waiting ${Math.ceil((until - now) / 1000)} s before the session is loaded`;
    const description = 'This agent would lose what it has stored of the session if it were asked any sooner.';
    return { until, title, description };
  }

  /** Resolves when the time has come, or the signal aborts. */
  async over(until: number, signal: AbortSignal): Promise<void> {
    // A timer may be early, and the clock may be set meanwhile.
    for (let left = until - Date.now(); left > 0 && !signal.aborted; left = until - Date.now())
      await pause(Math.min(left, longestPause), signal).catch(() => undefined);
  }
}
