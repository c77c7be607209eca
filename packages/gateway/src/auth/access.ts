import { bearerOf, type EndpointRequest, headerOf, hostOf } from '@turnwire/transports/http/node';
import { BrowserSessions } from './browser-sessions.ts';
import { MemoryPasses, type PagePasses, type PassOwner } from './page-passes.ts';
import type { TokenFile, TokenPrincipal } from './token-file.ts';
import type { TokenIssuer } from './token-issuer.ts';
import { WrongSecrets } from './wrong-secrets.ts';

/** Whose tokens are good. */
export interface AccessOptions {
  readonly tokens: TokenFile;
  /** The id of the token that the server has made for its owner and revokes when it ends. Links to watch that were made with it stay valid. */
  readonly serverToken?: string | undefined;
  /** Who signs tokens that are accepted as well. Default: nobody. */
  readonly issuer?: TokenIssuer | undefined;
  /** Where the tickets and cookies of web pages are kept. Default: in memory, so that they end with the process. */
  readonly passes?: PagePasses | undefined;
  /** Called with the address that a wrong token or ticket came from, at most ten times a minute for each. */
  readonly onRefused?: ((address: string) => void) | undefined;
}

/** Who sends a request: by a token, or by the cookie of a page that was logged in with a ticket. */
export class Access {
  readonly #tokens: TokenFile;
  readonly #server: string | undefined;
  readonly #issuer: TokenIssuer | undefined;
  readonly #pages: BrowserSessions;
  readonly #wrong = new WrongSecrets();
  readonly #watchers = new Set<(principal: TokenPrincipal) => void>();
  readonly #unwatch: () => void;
  readonly #onRefused: (address: string) => void;

  constructor({
    tokens,
    serverToken,
    issuer,
    passes = new MemoryPasses(),
    onRefused = () => undefined,
  }: AccessOptions) {
    this.#tokens = tokens;
    this.#server = serverToken;
    this.#issuer = issuer;
    this.#onRefused = onRefused;
    this.#pages = new BrowserSessions(passes);
    const end = (principal: TokenPrincipal): void => {
      for (const onEnd of this.#watchers) onEnd(principal);
    };
    const watched = [tokens.watch(end), ...(issuer ? [issuer.watch(end)] : [])];
    this.#unwatch = () => {
      for (const unwatch of watched) unwatch();
    };
  }

  /** Who sends a request; false if that is not known. */
  async principalOf(request: EndpointRequest): Promise<TokenPrincipal | false> {
    const token = bearerOf(request);
    return token === undefined ? this.#principalOfPage(request) : this.#principalOfToken(token, request);
  }

  /** A ticket for pages of an origin, to be shown to nobody else. */
  ticketFor(principal: TokenPrincipal, origin: string): Promise<string> {
    return this.#pages.ticketFor({ principal, until: this.#issuer?.validUntil(principal) }, origin);
  }

  /** A token that only watches one session of a principal, for so many hours, and no longer than the principal's own token is valid. */
  async tokenToWatch(principal: TokenPrincipal, session: string, hours: number): Promise<string> {
    const { id, tenant } = principal;
    const expiresAt = Math.min(Date.now() + hours * 3_600_000, this.#issuer?.validUntil(principal) ?? Infinity);
    const isOwn = id !== this.#server && (await this.#tokens.principalWith(id)) !== undefined;
    const label = `a link to watch the session ${session}`;
    const made = isOwn ? { madeBy: id } : {};
    return (await this.#tokens.create({ label, tenant, scope: 'observe', session, ...made, expiresAt })).token;
  }

  /** The header that logs in the page which sent a ticket; undefined if the ticket is not good for it. */
  async logIn(request: EndpointRequest, ticket: string): Promise<string | undefined> {
    const origin = headerOf(request, 'origin');
    if (origin === undefined) return undefined;
    const pass = await this.#pages.redeem(ticket, origin);
    if (pass === undefined || !(await this.#living(pass.owner))) return void this.#refused(request);
    const session = await this.#pages.cookieFor(pass);
    const secure = origin.startsWith('https:') ? '; Secure' : '';
    return `${cookieName(request)}=${session.cookie}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${session.seconds}${secure}`;
  }

  /** Reports each principal whose token is void, so that what it has open can be closed. */
  onEnd(listener: (principal: TokenPrincipal) => void): void {
    this.#watchers.add(listener);
  }

  /** Stops looking after tokens. */
  close(): void {
    this.#unwatch();
  }

  async #principalOfToken(token: string, request: EndpointRequest): Promise<TokenPrincipal | false> {
    // Tokens of our own have no dots.
    const giver = token.includes('.') ? this.#issuer : this.#tokens;
    const principal = await giver?.principalOf(token);
    if (principal === undefined) this.#refused(request);
    return principal ?? false;
  }

  #refused({ socket }: EndpointRequest): void {
    // Anybody can send the headers in which a proxy names the sender.
    const address = socket?.remoteAddress ?? '';
    if (this.#wrong.count(address)) this.#onRefused(address);
  }

  async #principalOfPage(request: EndpointRequest): Promise<TokenPrincipal | false> {
    const cookie = cookieOf(request);
    // A page that reads from its own origin sends no Origin, and browsers say by themselves that it is its own.
    const isOwn = headerOf(request, 'sec-fetch-site') === 'same-origin';
    const origin = headerOf(request, 'origin');
    if (cookie === undefined || (origin === undefined && !isOwn)) return false;
    const owner = await this.#pages.ownerOf(cookie, origin);
    return (owner && (await this.#living(owner))) ?? false;
  }

  /** The principal of a page, whose token may have been shown to another gateway; undefined if that is revoked or has expired. */
  async #living({ principal, until }: PassOwner): Promise<TokenPrincipal | undefined> {
    return until === undefined
      ? this.#tokens.principalWith(principal.id)
      : this.#issuer?.shownElsewhere(principal, until);
  }
}

/** Cookies are shared by all ports of a host; those of two gateways must not replace each other. */
function cookieName(request: EndpointRequest): string {
  const [, port = ''] = /:(\d+)$/.exec(hostOf(request)) ?? [];
  return `turnwire${port}`;
}

function cookieOf(request: EndpointRequest): string | undefined {
  const name = cookieName(request);
  const pairs = (headerOf(request, 'cookie') ?? '').split(';').map((pair) => pair.trim().split('='));
  return pairs.find(([key]) => key === name)?.[1];
}
