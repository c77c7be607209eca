import { digestOf, matching } from './secret.ts';
import type { TokenPrincipal } from './token-file.ts';

/** A ticket is exchanged once, for the token of a page; that is sent with every request. */
export type PassKind = 'ticket' | 'page';

/** Whose a ticket or the token of a page is. */
export interface PassOwner {
  readonly principal: TokenPrincipal;
  /** Of a principal of an issuer: when the last of its tokens expires, in milliseconds since 1970. */
  readonly until?: number | undefined;
  /** The owner of the server, whose pages stay logged in when the server has ended and is started again. */
  readonly isServerOwner?: true | undefined;
  /** What the browser called itself when it logged in: at most 200 characters. */
  readonly browser?: string | undefined;
}

/** What a ticket or the token of a page is good for. */
export interface PagePass {
  readonly owner: PassOwner;
  /** The only origin whose pages may use it. */
  readonly origin: string;
}

/** Where the tickets and tokens of web pages are kept: what recognises them, and not they themselves. */
export interface PagePasses {
  /**
   * Makes a secret good for something.
   * @param pass `time`: for how many milliseconds it is good
   */
  add(kind: PassKind, secret: string, pass: PagePass & { readonly time: number }): Promise<void>;
  /** What this secret is good for; undefined if it is none of this kind, or too old. */
  find(kind: PassKind, secret: string): Promise<PagePass | undefined>;
  /** The same. It is void afterwards. */
  take(kind: PassKind, secret: string): Promise<PagePass | undefined>;
  /** The pages of a tenant that are logged in. */
  logins(tenant: string): Promise<readonly KeptPass[]>;
  /** Logs out the page whose token has this digest. */
  end(digest: string): Promise<void>;
}

/** How many of a kind there may be; the oldest is dropped for a new one. */
export const mostPasses = 1_000;

/** A pass as it is kept. */
export interface KeptPass extends PagePass {
  readonly digest: string;
  readonly expiresAt: number;
}

/** Those of a tenant that are not too old. */
export function loginsOf(kept: readonly KeptPass[], tenant: string, now: number): readonly KeptPass[] {
  return kept.filter(({ owner, expiresAt }) => owner.principal.tenant === tenant && expiresAt > now);
}

/** Passes in memory: they end with the process. */
export class MemoryPasses implements PagePasses {
  readonly #kept: Readonly<Record<PassKind, Map<string, KeptPass>>> = { ticket: new Map(), page: new Map() };
  readonly #now: () => number;

  /** @param now milliseconds since 1970. Default: the clock */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  async add(kind: PassKind, secret: string, { time, ...pass }: PagePass & { readonly time: number }): Promise<void> {
    const kept = this.#kept[kind];
    const now = this.#now();
    for (const [digest, { expiresAt }] of kept) if (expiresAt <= now) kept.delete(digest);
    const [oldest] = kept.keys();
    if (oldest !== undefined && kept.size >= mostPasses) kept.delete(oldest);
    const digest = digestOf(secret);
    kept.set(digest, { ...pass, digest, expiresAt: now + time });
  }

  async find(kind: PassKind, secret: string): Promise<PagePass | undefined> {
    const found = matching(this.#kept[kind].values(), secret);
    return found && found.expiresAt > this.#now() ? found : undefined;
  }

  async take(kind: PassKind, secret: string): Promise<PagePass | undefined> {
    const found = await this.find(kind, secret);
    // Of two that ask at once, one has it.
    return this.#kept[kind].delete(digestOf(secret)) ? found : undefined;
  }

  async logins(tenant: string): Promise<readonly KeptPass[]> {
    return loginsOf([...this.#kept.page.values()], tenant, this.#now());
  }

  async end(digest: string): Promise<void> {
    this.#kept.page.delete(digest);
  }
}
