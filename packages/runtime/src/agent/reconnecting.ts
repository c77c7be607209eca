import { backOff, pause } from '@turnwire/machine/waits';

/** How a broken connection is made again. Everything has a default. */
export interface ReconnectOptions {
  /** Attempts in a row before the session is `dead`. Default 20, some eight minutes. */
  readonly attempts?: number | undefined;
  /** The delay before the first attempt, in milliseconds; it doubles from there. Default 1,000. */
  readonly first?: number | undefined;
  /** The longest delay, in milliseconds. A connection that lasted longer begins with the first delay again. Default 30,000. */
  readonly most?: number | undefined;
  /** The largest random fraction by which a delay is shortened, so that the clients of a server do not all reconnect together. Default 0.5. */
  readonly jitter?: number | undefined;
}

/** The next attempt. */
export interface ReconnectAttempt {
  readonly attempt: number;
  /** When it is made, in milliseconds since 1970. */
  readonly until: number;
}

/** The parts of the global object that only web pages have. */
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
  #reconnect: (() => void) | undefined;

  constructor(options: ReconnectOptions) {
    this.#options = options;
    this.#delays = this.#sequence();
  }

  /** Records that the connection was made. If it breaks again at once, the delays continue: the shortest one would cause a storm. */
  made(): void {
    this.#madeAt = Date.now();
  }

  /** Records that the connection broke. */
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

  /** Resolves when the attempt is due, or earlier: after {@link reconnectNow}, when a page is online again, or when it is visible again. */
  async due({ until }: ReconnectAttempt, signal: AbortSignal): Promise<void> {
    const waiting = new AbortController();
    this.#reconnect = () => waiting.abort();
    signal.addEventListener('abort', this.#reconnect, { signal: waiting.signal });
    if (signal.aborted) waiting.abort();
    onPageBack(this.#reconnect, waiting.signal);
    await pause(until - Date.now(), waiting.signal).catch(() => undefined);
    waiting.abort();
  }

  /** Makes the pending attempt at once. */
  reconnectNow(): void {
    this.#reconnect?.();
  }

  #sequence(): Iterator<number, never> {
    const { first = 1_000, most = 30_000, jitter = 0.5 } = this.#options;
    return backOff({ first, most, jitter });
  }
}

/** In a page in the background timers sleep, and without a network attempts fail. */
function onPageBack(action: () => void, signal: AbortSignal): void {
  const { document } = globalThis as Page;
  (globalThis as Page).addEventListener?.('online', action, { signal });
  document?.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && action(), { signal });
}
