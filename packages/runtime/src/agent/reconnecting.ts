import { backOff, pause } from '@turnwire/machine/waits';

/** How a broken connection is made again. Everything has a default. */
export interface ReconnectOptions {
  /** Attempts in a row before the session is `dead`. Default 20, some eight minutes. */
  readonly attempts?: number | undefined;
  /** The delay before the first attempt, in milliseconds; it doubles from there. Default 1,000. */
  readonly first?: number | undefined;
  /** The longest delay, in milliseconds. A connection that lasted longer begins with the first delay again. Default 30,000. */
  readonly most?: number | undefined;
  /** The fraction by which chance shortens a delay at most, so that the clients of a server do not all come back together. Default 0.5. */
  readonly jitter?: number | undefined;
}

/** An attempt to come. */
export interface ReconnectAttempt {
  readonly attempt: number;
  /** When it is made, in milliseconds since 1970. */
  readonly until: number;
}

/** What a page says of itself; of the platform's global object only what pages have. */
interface Page {
  readonly addEventListener?: (type: 'online', action: () => void, options: { readonly signal: AbortSignal }) => void;
  readonly document?: {
    readonly visibilityState: string;
    addEventListener(type: 'visibilitychange', action: () => void, options: { readonly signal: AbortSignal }): void;
  };
}

/** The attempts to make a connection again, and the delays between them. */
export class Reconnecting {
  readonly #options: ReconnectOptions;
  #delays: Iterator<number, never>;
  #attempt = 0;
  #madeAt = -Infinity;
  #hurry: (() => void) | undefined;

  constructor(options: ReconnectOptions) {
    this.#options = options;
    this.#delays = this.#sequence();
  }

  /** The connection is there. One that breaks again at once does not begin with the shortest delay: that would be a storm. */
  made(): void {
    this.#madeAt = Date.now();
  }

  /** The connection broke. */
  broke(): void {
    if (Date.now() - this.#madeAt > (this.#options.most ?? 30_000)) this.#delays = this.#sequence();
    this.#attempt = 0;
  }

  /** The next attempt; undefined after the last. */
  next(): ReconnectAttempt | undefined {
    this.#attempt += 1;
    if (this.#attempt > (this.#options.attempts ?? 20)) return undefined;
    return { attempt: this.#attempt, until: Date.now() + this.#delays.next().value };
  }

  /** Resolves when the attempt is due, or earlier: when {@link hurry} is called, when a page is online again, and when it is seen again. */
  async due({ until }: ReconnectAttempt, signal: AbortSignal): Promise<void> {
    const waiting = new AbortController();
    this.#hurry = () => waiting.abort();
    signal.addEventListener('abort', this.#hurry, { signal: waiting.signal });
    if (signal.aborted) waiting.abort();
    onPageBack(this.#hurry, waiting.signal);
    await pause(until - Date.now(), waiting.signal).catch(() => undefined);
    waiting.abort();
  }

  /** Makes the attempt that is waited for at once. */
  hurry(): void {
    this.#hurry?.();
  }

  #sequence(): Iterator<number, never> {
    const { first = 1_000, most = 30_000, jitter = 0.5 } = this.#options;
    return backOff({ first, most, jitter });
  }
}

/** A page in the background or without a network is a page whose timers sleep and whose attempts fail. */
function onPageBack(action: () => void, signal: AbortSignal): void {
  const { document } = globalThis as Page;
  (globalThis as Page).addEventListener?.('online', action, { signal });
  document?.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && action(), { signal });
}
