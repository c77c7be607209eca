import type { KeptPass, PagePass, PagePasses, PassOwner } from './page-passes.ts';
import { newSecret } from './secret.ts';

/** How long a ticket is good for, in milliseconds. */
const ticketTime = 60_000;
/** How long a page stays logged in, in milliseconds. */
const loginTime = 30 * 86_400_000;
/** Tells the token of a page from that of a program. */
const prefix = 'page-';

/**
 * Logins of web pages, which must not have the token of a program in their URL. The holder of a token gets a ticket for a page. Pages of one
 * origin can use it once, within a minute, and get a token of their own, which pages of that origin alone may use. It is no cookie: a browser
 * sends the cookies of a host to the servers on all of its ports.
 */
export class PageLogins {
  readonly #passes: PagePasses;

  constructor(passes: PagePasses) {
    this.#passes = passes;
  }

  /** Whether a token is that of a page. */
  static isToken(token: string): boolean {
    return token.startsWith(prefix);
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

  /** Makes the token that a page gets for its ticket. It is good for 30 days. */
  async tokenFor({ owner, origin }: PagePass, browser = ''): Promise<string> {
    const token = prefix + newSecret();
    const named = { ...owner, ...(browser !== '' && { browser: browser.slice(0, 200) }) };
    await this.#passes.add('page', token, { owner: named, origin, time: loginTime });
    return token;
  }

  /** Whose token this is. `origin`: that of the page which sent it; undefined if its browser vouches for that. */
  async ownerOf(token: string, origin: string | undefined): Promise<PassOwner | undefined> {
    const pass = await this.#passes.find('page', token);
    return origin === undefined || pass?.origin === origin ? pass?.owner : undefined;
  }

  /** Those of a tenant, with when they logged in, in milliseconds since 1970. */
  async list(tenant: string): Promise<readonly (KeptPass & { readonly since: number })[]> {
    return (await this.#passes.logins(tenant)).map((login) => ({ ...login, since: login.expiresAt - loginTime }));
  }

  /** Makes the token of a page void, by its digest. */
  async end(digest: string): Promise<void> {
    await this.#passes.end(digest);
  }
}
