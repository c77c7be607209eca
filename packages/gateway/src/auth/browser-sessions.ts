import type { TokenPrincipal } from './token-file.ts';
import { digestOf, matching, newSecret } from './secret.ts';

/** How long a ticket is good for, in milliseconds. */
const ticketTime = 60_000;
/** How long a page stays logged in, in milliseconds. */
const cookieTime = 12 * 3_600_000;
/** How many tickets and how many cookies there may be; the oldest is dropped for a new one. */
const most = 1_000;

interface Pass {
  readonly digest: string;
  readonly principal: TokenPrincipal;
  /** The only origin whose pages may use it. */
  readonly origin: string;
  readonly expiresAt: number;
}

/**
 * Logins of web pages, which cannot set a header for a WebSocket, and must not have a token in their URL. Who has a token gets a ticket for
 * a page: it can be used once, soon, and by pages of one origin, for a cookie that is bound to the origin too. They end with the process.
 */
export class BrowserSessions {
  readonly #tickets = new Map<string, Pass>();
  readonly #cookies = new Map<string, Pass>();
  readonly #now: () => number;

  /** @param now milliseconds since 1970. Default: the clock */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Makes a ticket for pages of an origin: `https://example.com`. */
  ticketFor(principal: TokenPrincipal, origin: string): string {
    return this.#add(this.#tickets, { principal, origin, time: ticketTime });
  }

  /** Takes a ticket for a cookie; undefined if it is none, was used, is too old or belongs to another origin. It is void afterwards. */
  redeem(ticket: string, origin: string): { readonly cookie: string; readonly seconds: number } | undefined {
    const found = matching(this.#tickets.values(), ticket);
    if (found === undefined) return undefined;
    this.#tickets.delete(found.digest);
    if (found.origin !== origin || found.expiresAt <= this.#now()) return undefined;
    const { principal } = found;
    return {
      cookie: this.#add(this.#cookies, { principal, origin, time: cookieTime }),
      seconds: cookieTime / 1_000,
    };
  }

  /** Whose cookie this is. `origin`: that of the page which sent it; undefined if its browser vouches for that. */
  principalOf(cookie: string, origin: string | undefined): TokenPrincipal | undefined {
    const found = matching(this.#cookies.values(), cookie);
    if (found === undefined || found.expiresAt <= this.#now()) return undefined;
    return origin === undefined || found.origin === origin ? found.principal : undefined;
  }

  /** Makes void what a principal has: its token is. */
  end(principal: TokenPrincipal): void {
    for (const passes of [this.#tickets, this.#cookies])
      for (const [digest, pass] of passes) if (pass.principal === principal) passes.delete(digest);
  }

  /** Stores a pass under a new secret, which is returned. */
  #add(
    passes: Map<string, Pass>,
    { time, ...facts }: Omit<Pass, 'digest' | 'expiresAt'> & { readonly time: number },
  ): string {
    const now = this.#now();
    for (const [digest, { expiresAt }] of passes) if (expiresAt <= now) passes.delete(digest);
    const [oldest] = passes.keys();
    if (oldest !== undefined && passes.size >= most) passes.delete(oldest);
    const secret = newSecret();
    const digest = digestOf(secret);
    passes.set(digest, { ...facts, digest, expiresAt: now + time });
    return secret;
  }
}
