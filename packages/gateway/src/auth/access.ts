import { bearerOf, type EndpointRequest, headerOf } from '@turnwire/transports/http/node';
import { PageLogins } from './page-logins.ts';
import { MemoryPasses, mostPasses, type PagePasses, type PassOwner } from './page-passes.ts';
import type { TokenFile, TokenPrincipal } from './token-file.ts';
import type { SignedTokens } from './signed-tokens.ts';
import { digestOf } from './secret.ts';
import { WrongSecrets } from './wrong-secrets.ts';

/** Whose tokens are good. */
export interface AccessOptions {
  readonly tokens: TokenFile;
  /** The id of the token that the server has made for its owner and revokes when it ends. Links to watch that were made with it stay valid. */
  readonly serverToken?: string | undefined;
  /** Signed tokens that are accepted as well. Default: none. */
  readonly issuer?: SignedTokens | undefined;
  /** Where the tickets and tokens of web pages are kept. Default: in memory, so that they end with the process. */
  readonly passes?: PagePasses | undefined;
  /** Called with the address that a wrong token or ticket came from, at most ten times a minute for each. */
  readonly onRefused?: ((address: string) => void) | undefined;
}

/** A page that is logged in, or a link to watch a session. */
export interface ListedAccess {
  /** No secret: what it is ended by. */
  readonly id: string;
  /** Milliseconds since 1970; null: until it is revoked. */
  readonly since: number;
  readonly until: number | null;
  /** Of a login: the label of the token that the page was logged in with, and what its browser calls itself. */
  readonly label?: string | undefined;
  readonly browser?: string | undefined;
  /** Of a login: it is that of the page that asks. */
  readonly isThis?: true;
  /** Of a link: the session. */
  readonly session?: string | undefined;
}

/** What a page connects as, and whose page it is. */
interface KnownPage {
  readonly principal: TokenPrincipal;
  readonly owner: TokenPrincipal;
}

/** Who sends a request: by a token, or by the token of a page that was logged in with a ticket. */
export class Access {
  readonly #tokens: TokenFile;
  readonly #server: string | undefined;
  readonly #issuer: SignedTokens | undefined;
  readonly #pages: PageLogins;
  /** By the digests of their tokens: each is a principal of its own, so that what it has open ends with it alone. */
  readonly #known = new Map<string, KnownPage>();
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
      for (const [digest, page] of this.#known) if (page.owner === principal) this.#endPage(digest);
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
    return this.#pages.tokenFor(pass, headerOf(request, 'user-agent'));
  }

  /** The logins of pages and the links to watch that are of a principal; for the owner, all of the tenant. */
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

  /** Ends a login or a link of a principal, with what it has open. @returns whether there is one with this id */
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

  /** Logs out the page which sends a request, and ends what was opened with its token, be it a copy. */
  async logOut(request: EndpointRequest): Promise<void> {
    const token = bearerOf(request) ?? '';
    if (!PageLogins.isToken(token)) return;
    await this.#pages.end(digestOf(token));
    this.#endPage(digestOf(token));
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
    return principal && this.#pageOf(digestOf(token), principal);
  }

  #pageOf(digest: string, owner: TokenPrincipal): TokenPrincipal {
    const known = this.#known.get(digest);
    if (known?.owner === owner) return known.principal;
    // No page reads the metrics of a server.
    const principal: TokenPrincipal = { ...owner, scope: owner.scope === 'admin' ? 'control' : owner.scope };
    this.#known.set(digest, { principal, owner });
    // As many logins are kept: the oldest was dropped for a new one.
    const [oldest = ''] = this.#known.keys();
    if (this.#known.size > mostPasses) this.#endPage(oldest);
    return principal;
  }

  #endPage(digest: string): void {
    const page = this.#known.get(digest);
    this.#known.delete(digest);
    if (page) for (const onEnd of this.#watchers) onEnd(page.principal);
  }

  /** The principal of a page, whose token may have been shown to another gateway; undefined if that is revoked or has expired. */
  async #living({ principal, until, isServerOwner }: PassOwner): Promise<TokenPrincipal | undefined> {
    if (until !== undefined) return this.#issuer?.shownElsewhere(principal, until);
    const id = isServerOwner ? this.#server : principal.id;
    return id === undefined ? undefined : this.#tokens.principalWith(id);
  }
}

/** Whether something that was made with a token is of a principal: the owner has all that is there. */
function isOf(principal: TokenPrincipal, madeBy: string | undefined): boolean {
  return principal.isOwner === true || principal.id === madeBy;
}
