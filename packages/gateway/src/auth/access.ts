import { bearerOf, type EndpointRequest, headerOf } from '@turnwire/transports/http/node';
import { PageLogins } from './page-logins.ts';
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
  /** Where the tickets and tokens of web pages are kept. Default: in memory, so that they end with the process. */
  readonly passes?: PagePasses | undefined;
  /** Called with the address that a wrong token or ticket came from, at most ten times a minute for each. */
  readonly onRefused?: ((address: string) => void) | undefined;
}

/** Who sends a request: by a token, or by the token of a page that was logged in with a ticket. */
export class Access {
  readonly #tokens: TokenFile;
  readonly #server: string | undefined;
  readonly #issuer: TokenIssuer | undefined;
  readonly #pages: PageLogins;
  /** What the pages of each principal connect as. */
  readonly #asPage = new WeakMap<TokenPrincipal, TokenPrincipal>();
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
    this.#pages = new PageLogins(passes);
    const end = (principal: TokenPrincipal): void => {
      const page = this.#asPage.get(principal);
      for (const ended of page ? [principal, page] : [principal]) for (const onEnd of this.#watchers) onEnd(ended);
    };
    const watched = [tokens.watch(end), ...(issuer ? [issuer.watch(end)] : [])];
    this.#unwatch = () => {
      for (const unwatch of watched) unwatch();
    };
  }

  /** Who sends a request; false if that is not known. */
  async principalOf(request: EndpointRequest): Promise<TokenPrincipal | false> {
    const token = bearerOf(request);
    if (token === undefined) return false;
    const isPage = PageLogins.isToken(token);
    const principal = await (isPage ? this.#principalOfPage(token, request) : this.#principalOfToken(token));
    if (principal === undefined) this.#refused(request);
    return principal ?? false;
  }

  /** A ticket for pages of an origin, to be shown to nobody else. */
  ticketFor(principal: TokenPrincipal, origin: string): Promise<string> {
    const isServers = principal.id === this.#server && ({ isServerOwner: true } as const);
    return this.#pages.ticketFor({ principal, until: this.#issuer?.validUntil(principal), ...isServers }, origin);
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

  /** The token of the page which sent a ticket; undefined if the ticket is not good for it. */
  async logIn(request: EndpointRequest, ticket: string): Promise<string | undefined> {
    const origin = headerOf(request, 'origin');
    if (origin === undefined) return undefined;
    const pass = await this.#pages.redeem(ticket, origin);
    if (pass === undefined || !(await this.#living(pass.owner))) return void this.#refused(request);
    return this.#pages.tokenFor(pass);
  }

  /** Logs out the page which sends a request. */
  async logOut(request: EndpointRequest): Promise<void> {
    const token = bearerOf(request) ?? '';
    if (PageLogins.isToken(token)) await this.#pages.logOut(token);
  }

  /** Reports each principal whose token is void, so that what it has open can be closed. */
  onEnd(listener: (principal: TokenPrincipal) => void): void {
    this.#watchers.add(listener);
  }

  /** Stops looking after tokens. */
  close(): void {
    this.#unwatch();
  }

  async #principalOfToken(token: string): Promise<TokenPrincipal | undefined> {
    // Tokens of our own have no dots.
    return (token.includes('.') ? this.#issuer : this.#tokens)?.principalOf(token);
  }

  #refused({ socket }: EndpointRequest): void {
    // Anybody can send the headers in which a proxy names the sender.
    const address = socket?.remoteAddress ?? '';
    if (this.#wrong.count(address)) this.#onRefused(address);
  }

  async #principalOfPage(token: string, request: EndpointRequest): Promise<TokenPrincipal | undefined> {
    // A page that reads from its own origin sends no Origin, and browsers say by themselves that it is its own.
    const isOwn = headerOf(request, 'sec-fetch-site') === 'same-origin';
    const origin = headerOf(request, 'origin');
    if (origin === undefined && !isOwn) return undefined;
    const owner = await this.#pages.ownerOf(token, origin);
    const principal = owner && (await this.#living(owner));
    if (principal?.scope !== 'admin') return principal;
    // No page reads the metrics of a server.
    const page = this.#asPage.get(principal) ?? { ...principal, scope: 'control' };
    this.#asPage.set(principal, page);
    return page;
  }

  /** The principal of a page, whose token may have been shown to another gateway; undefined if that is revoked or has expired. */
  async #living({ principal, until, isServerOwner }: PassOwner): Promise<TokenPrincipal | undefined> {
    if (until !== undefined) return this.#issuer?.shownElsewhere(principal, until);
    const id = isServerOwner ? this.#server : principal.id;
    return id === undefined ? undefined : this.#tokens.principalWith(id);
  }
}
