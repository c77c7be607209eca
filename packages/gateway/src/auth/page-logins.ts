import type { StoredPageToken, PageGrant, PageTokenStore, PageTokenOwner } from './page-token-store.ts';
import { newSecret } from './secret.ts';

/** Lifetime of a ticket, in milliseconds. */
const ticketTime = 60_000;
/** Lifetime of a page login, in milliseconds. */
const loginTime = 30 * 86_400_000;
/** Distinguishes the token of a page from that of a program. */
const prefix = 'page-';

/**
 * Logins of web pages, which must not have the token of a program in their URL. The holder of a token requests a ticket for a page. Pages of one
 * origin can use the ticket once, within a minute, to get a token that only pages of that origin may use. The token is not a cookie: a browser sends
 * the cookies of a host to the servers on all of its ports.
 */
export class PageLogins {
  readonly #store: PageTokenStore;

  constructor(store: PageTokenStore) {
    this.#store = store;
  }

  /** Whether a token belongs to a page. */
  static isToken(token: string): boolean {
    return token.startsWith(prefix);
  }

  /** Creates a ticket for pages of an origin: `https://example.com`. */
  async ticketFor(owner: PageTokenOwner, origin: string): Promise<string> {
    const ticket = newSecret();
    await this.#store.add('ticket', ticket, { owner, origin, time: ticketTime });
    return ticket;
  }

  /** Uses up a ticket and returns its grant; undefined if the ticket is unknown, used, too old or for another origin. */
  async redeem(ticket: string, origin: string): Promise<PageGrant | undefined> {
    const grant = await this.#store.take('ticket', ticket);
    return grant?.origin === origin ? grant : undefined;
  }

  /** Creates the token that a page gets for its ticket. It is valid for 30 days. */
  async tokenFor({ owner, origin }: PageGrant, browser = ''): Promise<string> {
    const token = prefix + newSecret();
    const named = { ...owner, ...(browser !== '' && { browser: browser.slice(0, 200) }) };
    await this.#store.add('page', token, { owner: named, origin, time: loginTime });
    return token;
  }

  /** The owner of a token. `origin`: that of the page that sent it; undefined if the browser vouches for it. */
  async ownerOf(token: string, origin: string | undefined): Promise<PageTokenOwner | undefined> {
    const grant = await this.#store.find('page', token);
    return origin === undefined || grant?.origin === origin ? grant?.owner : undefined;
  }

  /** The logins of a tenant, with the time of each login in milliseconds since 1970. */
  async list(tenant: string): Promise<readonly (StoredPageToken & { readonly since: number })[]> {
    return (await this.#store.logins(tenant)).map((login) => ({ ...login, since: login.expiresAt - loginTime }));
  }

  /** Revokes the page token with this digest. */
  async end(digest: string): Promise<void> {
    await this.#store.end(digest);
  }
}
