import { digestOf, matching } from './secret.ts';
import type { TokenPrincipal } from './token-file.ts';

/** A ticket is exchanged once, for a page token, which the page then sends with every request. */
export type PageTokenKind = 'ticket' | 'page';

/** The owner of a ticket or a page token. */
export interface PageTokenOwner {
  readonly principal: TokenPrincipal;
  /** For a principal of an issuer: when the last of its tokens expires, in milliseconds since 1970. */
  readonly until?: number | undefined;
  /** Marks the owner of the server, whose pages stay logged in when the server restarts. */
  readonly isServerOwner?: true | undefined;
  /** The name that the browser sent at the login: at most 200 characters. */
  readonly browser?: string | undefined;
}

/** The grant of a ticket or a page token. */
export interface PageGrant {
  readonly owner: PageTokenOwner;
  /** The only origin whose pages may use it. */
  readonly origin: string;
}

/** Stores the tickets and tokens of web pages, as digests only. */
export interface PageTokenStore {
  /**
   * Stores a new secret.
   * @param grant `time`: its lifetime, in milliseconds
   */
  add(kind: PageTokenKind, secret: string, grant: PageGrant & { readonly time: number }): Promise<void>;
  /** The grant of a secret; undefined if the secret is unknown, of another kind or expired. */
  find(kind: PageTokenKind, secret: string): Promise<PageGrant | undefined>;
  /** Like {@link find}, and removes the secret. */
  take(kind: PageTokenKind, secret: string): Promise<PageGrant | undefined>;
  /** The logged-in pages of a tenant. */
  logins(tenant: string): Promise<readonly StoredPageToken[]>;
  /** Logs out the page whose token has this digest. */
  end(digest: string): Promise<void>;
}

/** The limit for each kind. A new secret replaces the oldest one. */
export const maxPageTokens = 1_000;

/** A grant as it is stored. */
export interface StoredPageToken extends PageGrant {
  readonly digest: string;
  readonly expiresAt: number;
}

/** The unexpired logins of a tenant. */
export function loginsOf(kept: readonly StoredPageToken[], tenant: string, now: number): readonly StoredPageToken[] {
  return kept.filter(({ owner, expiresAt }) => owner.principal.tenant === tenant && expiresAt > now);
}

/** Keeps tickets and page tokens in memory: they end with the process. */
export class MemoryPageTokens implements PageTokenStore {
  readonly #kept: Readonly<Record<PageTokenKind, Map<string, StoredPageToken>>> = {
    ticket: new Map(),
    page: new Map(),
  };
  readonly #now: () => number;

  /** @param now milliseconds since 1970. Default: the clock */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  async add(
    kind: PageTokenKind,
    secret: string,
    { time, ...grant }: PageGrant & { readonly time: number },
  ): Promise<void> {
    const kept = this.#kept[kind];
    const now = this.#now();
    for (const [digest, { expiresAt }] of kept) if (expiresAt <= now) kept.delete(digest);
    const [oldest] = kept.keys();
    if (oldest !== undefined && kept.size >= maxPageTokens) kept.delete(oldest);
    const digest = digestOf(secret);
    kept.set(digest, { ...grant, digest, expiresAt: now + time });
  }

  async find(kind: PageTokenKind, secret: string): Promise<PageGrant | undefined> {
    const found = matching(this.#kept[kind].values(), secret);
    return found && found.expiresAt > this.#now() ? found : undefined;
  }

  async take(kind: PageTokenKind, secret: string): Promise<PageGrant | undefined> {
    const found = await this.find(kind, secret);
    // Of two concurrent calls, only one gets it.
    return this.#kept[kind].delete(digestOf(secret)) ? found : undefined;
  }

  async logins(tenant: string): Promise<readonly StoredPageToken[]> {
    return loginsOf([...this.#kept.page.values()], tenant, this.#now());
  }

  async end(digest: string): Promise<void> {
    this.#kept.page.delete(digest);
  }
}
