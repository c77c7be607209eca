import type { PagePass, PagePasses, PassOwner } from './page-passes.ts';
import { newSecret } from './secret.ts';

/** How long a ticket is good for, in milliseconds. */
const ticketTime = 60_000;
/** How long a page stays logged in, in milliseconds. */
const cookieTime = 12 * 3_600_000;

/**
 * Logins of web pages, which cannot set a header for a WebSocket, and must not have a token in their URL. Who has a token gets a ticket for
 * a page: it can be used once, soon, and by pages of one origin, for a cookie that is bound to the origin too.
 */
export class BrowserSessions {
  readonly #passes: PagePasses;

  constructor(passes: PagePasses) {
    this.#passes = passes;
  }

  /** Makes a ticket for pages of an origin: `https://example.com`. */
  async ticketFor(owner: PassOwner, origin: string): Promise<string> {
    const ticket = newSecret();
    await this.#passes.add('ticket', ticket, { owner, origin, time: ticketTime });
    return ticket;
  }

  /** What a ticket is good for, which is void afterwards; undefined if it is none, was used, is too old or belongs to another origin. */
  async redeem(ticket: string, origin: string): Promise<PagePass | undefined> {
    const pass = await this.#passes.take('ticket', ticket);
    return pass?.origin === origin ? pass : undefined;
  }

  /** Makes the cookie that a ticket is taken for, and says for how many seconds it is good. */
  async cookieFor({ owner, origin }: PagePass): Promise<{ readonly cookie: string; readonly seconds: number }> {
    const cookie = newSecret();
    await this.#passes.add('cookie', cookie, { owner, origin, time: cookieTime });
    return { cookie, seconds: cookieTime / 1_000 };
  }

  /** Whose cookie this is. `origin`: that of the page which sent it; undefined if its browser vouches for that. */
  async ownerOf(cookie: string, origin: string | undefined): Promise<PassOwner | undefined> {
    const pass = await this.#passes.find('cookie', cookie);
    return origin === undefined || pass?.origin === origin ? pass?.owner : undefined;
  }
}
