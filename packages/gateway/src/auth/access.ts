import { bearerOf, type EndpointRequest, headerOf } from '@turnwire/transports/http/node';
import { PageLogins } from './page-logins.ts';
import { MemoryPageTokens, maxPageTokens, type PageTokenStore, type PageTokenOwner } from './page-token-store.ts';
import type { TokenFile, TokenPrincipal } from './token-file.ts';
import type { SignedTokens } from './signed-tokens.ts';
import { digestOf } from './secret.ts';
import { WrongSecrets } from './wrong-secrets.ts';

/** Options of {@link Access}. */
export interface AccessOptions {
  readonly tokens: TokenFile;
  /** The id of the token that the server made for its owner and revokes when it ends. Watch links that were made with it stay valid. */
  readonly serverToken?: string | undefined;
  /** Accepts signed tokens as well. Default: none. */
  readonly issuer?: SignedTokens | undefined;
  /** Stores the tickets and tokens of web pages. Default: memory, so they end with the process. */
  readonly pageTokens?: PageTokenStore | undefined;
  /** Called with the address that sent a wrong token or ticket, at most ten times a minute for each address. */
  readonly onRefused?: ((address: string) => void) | undefined;
}

/** A logged-in page, or a link to watch a session. */
export interface ListedAccess {
  /** Identifies it to `end`. Not secret. */
  readonly id: string;
  /** Milliseconds since 1970; null: until it is revoked. */
  readonly since: number;
  readonly until: number | null;
  /** For a login: the label of the token that the page used, and the name that its browser sent. */
  readonly label?: string | undefined;
  readonly browser?: string | undefined;
  /** For a login: it belongs to the page that sent the request. */
  readonly isThis?: true;
  /** For a link: the session. */
  readonly session?: string | undefined;
}

/** The principal of a page, and the principal that logged it in. */
interface KnownPage {
  readonly principal: TokenPrincipal;
  readonly owner: TokenPrincipal;
}

/** Authenticates requests, by a token or by the page token of a login with a ticket. */
export class Access {
  readonly #tokens: TokenFile;
  readonly #server: string | undefined;
  readonly #issuer: SignedTokens | undefined;
  readonly #pages: PageLogins;
  /** Logged-in pages, by the digests of their tokens. Each has a principal of its own, so that a logout closes the connections of that page only. */
  readonly #known = new Map<string, KnownPage>();
  readonly #wrong = new WrongSecrets();
  readonly #watchers = new Set<(principal: TokenPrincipal) => void>();
  readonly #unwatch: () => void;
  readonly #onRefused: (address: string) => void;

  constructor({
    tokens,
    serverToken,
    issuer,
    pageTokens = new MemoryPageTokens(),
    onRefused = () => undefined,
  }: AccessOptions) {
    this.#tokens = tokens;
    this.#server = serverToken;
    this.#issuer = issuer;
    this.#onRefused = onRefused;
    this.#pages = new PageLogins(pageTokens);
    const end = (principal: TokenPrincipal): void => {
      for (const [digest, page] of this.#known) if (page.owner === principal) this.#endPage(digest);
      for (const onEnd of this.#watchers) onEnd(principal);
    };
    const watched = [tokens.watch(end), ...(issuer ? [issuer.watch(end)] : [])];
    this.#unwatch = () => {
      for (const unwatch of watched) unwatch();
    };
  }

  /** The principal of a request; false if the request has no valid token. */
  async principalOf(request: EndpointRequest): Promise<TokenPrincipal | false> {
    const token = bearerOf(request);
    if (token === undefined) return false;
    const isPage = PageLogins.isToken(token);
    const principal = await (isPage ? this.#principalOfPage(token, request) : this.#principalOfToken(token));
    if (principal === undefined) this.#refused(request);
    return principal ?? false;
  }

  /** A ticket for pages of an origin. */
  ticketFor(principal: TokenPrincipal, origin: string): Promise<string> {
    const isServers = principal.id === this.#server && ({ isServerOwner: true } as const);
    return this.#pages.ticketFor({ principal, until: this.#issuer?.validUntil(principal), ...isServers }, origin);
  }

  /** A token that can only watch one session of a principal, for that many hours, and no longer than the principal's own token is valid. */
  async tokenToWatch(principal: TokenPrincipal, session: string, hours: number): Promise<string> {
    const { id, tenant } = principal;
    const expiresAt = Math.min(Date.now() + hours * 3_600_000, this.#issuer?.validUntil(principal) ?? Infinity);
    const isOwn = id !== this.#server && (await this.#tokens.principalWith(id)) !== undefined;
    const label = `a link to watch the session ${session}`;
    const made = isOwn ? { madeBy: id } : {};
    return (await this.#tokens.create({ label, tenant, scope: 'observe', session, ...made, expiresAt })).token;
  }

  /** The token for the page that sent a ticket; undefined if the ticket is not valid for that page. */
  async logIn(request: EndpointRequest, ticket: string): Promise<string | undefined> {
    const origin = headerOf(request, 'origin');
    if (origin === undefined) return undefined;
    const grant = await this.#pages.redeem(ticket, origin);
    if (grant === undefined || !(await this.#living(grant.owner))) return void this.#refused(request);
    return this.#pages.tokenFor(grant, headerOf(request, 'user-agent'));
  }

  /** The page logins and watch links of a principal; for the owner, those of the whole tenant. */
  async listed(principal: TokenPrincipal, request: EndpointRequest): Promise<readonly ListedAccess[]> {
    const tokens = await this.#tokens.list();
    const own = digestOf(bearerOf(request) ?? '');
    const logins = (await this.#pages.list(principal.tenant)).filter(({ owner }) =>
      isOf(principal, owner.principal.id),
    );
    const links = tokens.filter(
      ({ tenant, session, madeBy, expiresAt }) =>
        session !== undefined &&
        tenant === principal.tenant &&
        isOf(principal, madeBy) &&
        (expiresAt ?? Infinity) > Date.now(),
    );
    return [
      ...logins.map(({ digest: id, owner, since, expiresAt: until }) => ({
        ...{ id, since, until },
        label: tokens.find((token) => token.id === owner.principal.id)?.label,
        browser: owner.browser,
        ...(id === own && { isThis: true as const }),
      })),
      ...links.map(({ id, createdAt: since, expiresAt: until, session }) => ({ id, since, until, session })),
    ];
  }

  /** Ends a login or a link of a principal and closes its connections. @returns whether the principal has one with this id */
  async end(
    principal: TokenPrincipal,
    { id, request }: { readonly id: string; readonly request: EndpointRequest },
  ): Promise<boolean> {
    const found = (await this.listed(principal, request)).find((each) => each.id === id);
    if (!found) return false;
    if (found.session !== undefined) return this.#tokens.revoke(id);
    await this.#pages.end(id);
    this.#endPage(id);
    return true;
  }

  /** Logs out the page that sent a request, and closes everything opened with its token, or with a copy of it. */
  async logOut(request: EndpointRequest): Promise<void> {
    const token = bearerOf(request) ?? '';
    if (!PageLogins.isToken(token)) return;
    await this.#pages.end(digestOf(token));
    this.#endPage(digestOf(token));
  }

  /** Reports each principal whose token is no longer valid, so that its connections can be closed. */
  onEnd(listener: (principal: TokenPrincipal) => void): void {
    this.#watchers.add(listener);
  }

  /** Stops watching tokens. */
  close(): void {
    this.#unwatch();
  }

  async #principalOfToken(token: string): Promise<TokenPrincipal | undefined> {
    // Our own tokens contain no dots.
    return (token.includes('.') ? this.#issuer : this.#tokens)?.principalOf(token);
  }

  #refused({ socket }: EndpointRequest): void {
    // Only the socket address counts: any client can forge the headers in which a proxy names the sender.
    const address = socket?.remoteAddress ?? '';
    if (this.#wrong.count(address)) this.#onRefused(address);
  }

  async #principalOfPage(token: string, request: EndpointRequest): Promise<TokenPrincipal | undefined> {
    // A same-origin read has no Origin header, but the browser adds Sec-Fetch-Site.
    const isOwn = headerOf(request, 'sec-fetch-site') === 'same-origin';
    const origin = headerOf(request, 'origin');
    if (origin === undefined && !isOwn) return undefined;
    const owner = await this.#pages.ownerOf(token, origin);
    const principal = owner && (await this.#living(owner));
    return principal && this.#pageOf(digestOf(token), principal);
  }

  #pageOf(digest: string, owner: TokenPrincipal): TokenPrincipal {
    const known = this.#known.get(digest);
    if (known?.owner === owner) return known.principal;
    // A page never reads the metrics of a server.
    const principal: TokenPrincipal = { ...owner, scope: owner.scope === 'admin' ? 'control' : owner.scope };
    this.#known.set(digest, { principal, owner });
    // The store keeps as many logins, and dropped the oldest one for this one.
    const [oldest = ''] = this.#known.keys();
    if (this.#known.size > maxPageTokens) this.#endPage(oldest);
    return principal;
  }

  #endPage(digest: string): void {
    const page = this.#known.get(digest);
    this.#known.delete(digest);
    if (page) for (const onEnd of this.#watchers) onEnd(page.principal);
  }

  /** The current principal of a page login, whose token another gateway may have accepted; undefined if the token was revoked or has expired. */
  async #living({ principal, until, isServerOwner }: PageTokenOwner): Promise<TokenPrincipal | undefined> {
    if (until !== undefined) return this.#issuer?.shownElsewhere(principal, until);
    const id = isServerOwner ? this.#server : principal.id;
    return id === undefined ? undefined : this.#tokens.principalWith(id);
  }
}

/** Whether a principal owns something that was made with a token. The owner of the gateway owns everything. */
function isOf(principal: TokenPrincipal, madeBy: string | undefined): boolean {
  return principal.isOwner === true || principal.id === madeBy;
}
