import { randomUUID } from 'node:crypto';
import { mkdir, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { replaceFile, undefinedIfMissing, withLock } from '@turnwire/machine';
import { TurnwireError } from '@turnwire/protocol';
import { isScope, type Principal, type Scope } from './principal.ts';
import { digestOf, matching, newSecret } from './secret.ts';

/** How often the file is checked for revoked tokens while connections are open, in milliseconds. */
const interval = 1_000;

/** The grant of a new token. */
export interface TokenGrant {
  /** A name by which the owner recognises the token. */
  readonly label: string;
  /** The tenant whose sessions it opens. */
  readonly tenant: string;
  readonly scope: Scope;
  /** Limits it to one session of the tenant. Default: all. */
  readonly session?: string | undefined;
  /** The id of the token whose holder made this one. This token ends with that one. Default: none. */
  readonly madeBy?: string | undefined;
  /** Milliseconds since 1970; null for a token that lasts until it is revoked. */
  readonly expiresAt: number | null;
}

/** The limit of valid single-session tokens that one token may have made, so that one holder cannot use up the links of the others. */
const maxLinks = 100;

/** The stored facts about a token, without the token itself. */
export interface TokenRecord extends TokenGrant {
  readonly id: string;
  readonly createdAt: number;
}

/** The principal of a token. Each token has one such object while it is valid. */
export interface TokenPrincipal extends Principal {
  /** The id of the token, which is not secret. */
  readonly id: string;
}

interface StoredToken extends TokenRecord {
  /** SHA-256 of the token, in hexadecimal digits. */
  readonly digest: string;
}

/**
 * The tokens that a gateway accepts, in a file that only its owner can read. It holds digests, not tokens. Several processes may use it: after one
 * revokes a token, the others refuse it from the next request on.
 */
export class TokenFile {
  readonly #path: string;
  #tokens: readonly StoredToken[] = [];
  /** Inode, size and modification time of the file when it was read. */
  #state = '';
  /** The principals of valid tokens, by token id. */
  readonly #principals = new Map<string, TokenPrincipal>();
  readonly #watchers = new Set<(principal: TokenPrincipal) => void>();
  #timer: NodeJS.Timeout | undefined;
  #reading: Promise<void> | undefined;
  /** The reading that starts when the current one is over. */
  #next: Promise<void> | undefined;

  /** @param path absolute. The first token creates the file and its folder */
  constructor(path: string) {
    this.#path = path;
  }

  /** Creates a token, which is returned only this once. Rejects with `invalid-input` if `madeBy` has made 100 valid single-session tokens already. */
  async create(grant: TokenGrant): Promise<{ readonly token: string; readonly record: TokenRecord }> {
    if (!isScope(grant.scope))
      throw invalid(`a token cannot have the scope ${String(grant.scope)}: use observe, control or admin`);
    if (grant.tenant === '') throw invalid('a token needs a tenant, whose sessions it opens');
    const token = newSecret();
    const { label, tenant, scope, session, madeBy, expiresAt } = grant;
    const bound = { ...(session !== undefined && { session }), ...(madeBy !== undefined && { madeBy }) };
    const record = { id: randomUUID(), label, tenant, scope, ...bound, expiresAt, createdAt: Date.now() };
    await this.#change((tokens) => {
      const kept = tokens.filter((each) => each.session === undefined || isValid(each, tokens));
      const links = kept.filter(
        (each) => each.session !== undefined && each.tenant === tenant && each.madeBy === madeBy,
      );
      if (session !== undefined && links.length >= maxLinks)
        throw invalid(`${maxLinks} links to sessions are valid already: revoke one, or wait until one expires`);
      return [...kept, { ...record, digest: digestOf(token) }];
    });
    return { token, record };
  }

  /** All tokens, oldest first. Expired ones are included, except those for a single session. */
  async list(): Promise<readonly TokenRecord[]> {
    await this.#refresh();
    return this.#tokens.map(({ digest: _, ...record }) => record);
  }

  /** Revokes a token. @returns whether a token with this id existed */
  async revoke(id: string): Promise<boolean> {
    let isKnown = false;
    await this.#change((tokens) => {
      isKnown = tokens.some((token) => token.id === id);
      return tokens.filter((token) => token.id !== id);
    });
    return isKnown;
  }

  /** The principal of a token; undefined if the token is unknown, revoked or expired. */
  async principalOf(token: string): Promise<TokenPrincipal | undefined> {
    await this.#refresh();
    return this.#principalOf(matching(this.#tokens, token));
  }

  /** The principal of the token with this id; undefined if the token is unknown, revoked or expired. */
  async principalWith(id: string): Promise<TokenPrincipal | undefined> {
    await this.#refresh();
    return this.#principalOf(this.#tokens.find((token) => token.id === id));
  }

  /**
   * Reports each principal whose token is revoked or expires, within about a second, so that its connections can be closed.
   * @returns stops the reports
   */
  watch(onEnd: (principal: TokenPrincipal) => void): () => void {
    this.#watchers.add(onEnd);
    this.#timer ??= setInterval(() => void this.#refresh().catch(() => undefined), interval).unref();
    return () => {
      this.#watchers.delete(onEnd);
      if (this.#watchers.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    };
  }

  #principalOf(found: StoredToken | undefined): TokenPrincipal | undefined {
    if (found === undefined || !isValid(found, this.#tokens)) return undefined;
    const { id, tenant, scope, session } = found;
    const bound = session !== undefined && { session };
    // Only the owner can write this file, so its unrestricted admin tokens are the owner's.
    const owned = scope === 'admin' && session === undefined && ({ isOwner: true } as const);
    const principal = this.#principals.get(id) ?? { id, tenant, scope, ...bound, ...owned };
    this.#principals.set(id, principal);
    return principal;
  }

  async #change(change: (tokens: readonly StoredToken[]) => readonly StoredToken[]): Promise<void> {
    await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 });
    await withLock(`${this.#path}.lock`, async () => {
      await this.#refresh();
      const tokens = change(this.#tokens);
      await replaceFile(this.#path, `${JSON.stringify({ version: 1, tokens }, null, 2)}\n`);
    });
    await this.#refresh();
  }

  /** Reads the file if it has changed since this call. Calls during a reading share the next one. */
  #refresh(): Promise<void> {
    if (!this.#reading) return (this.#reading = this.#read().finally(() => (this.#reading = undefined)));
    const again = (): Promise<void> => {
      this.#next = undefined;
      return this.#refresh();
    };
    return (this.#next ??= this.#reading.then(again, again));
  }

  /** Reads the file if it has changed, and reports principals whose tokens are no longer valid. */
  async #read(): Promise<void> {
    const found = await stat(this.#path, { bigint: true }).catch(undefinedIfMissing);
    const state = found === undefined ? '' : `${found.ino} ${found.size} ${found.mtimeNs}`;
    if (state !== this.#state) {
      this.#tokens = found === undefined ? [] : tokensIn(await readFile(this.#path, 'utf8'), this.#path);
      this.#state = state;
    }
    const valid = new Set(this.#tokens.filter((token) => isValid(token, this.#tokens)).map(({ id }) => id));
    for (const [id, principal] of this.#principals) {
      if (valid.has(id)) continue;
      this.#principals.delete(id);
      for (const onEnd of this.#watchers) onEnd(principal);
    }
  }
}

function isValid({ expiresAt, madeBy }: StoredToken, tokens: readonly StoredToken[]): boolean {
  if (expiresAt !== null && expiresAt <= Date.now()) return false;
  const maker = tokens.find(({ id }) => id === madeBy);
  return madeBy === undefined || (maker !== undefined && isValid(maker, tokens));
}

function tokensIn(text: string, path: string): readonly StoredToken[] {
  const { version, tokens } = parsed(text, path);
  if (version !== 1) throw invalid(`${path} was written by a newer version of this program; use that one`);
  if (!Array.isArray(tokens) || !tokens.every(isStoredToken)) throw damaged(path);
  return tokens;
}

function parsed(text: string, path: string): { readonly version?: unknown; readonly tokens?: unknown } {
  try {
    return (JSON.parse(text) ?? {}) as object;
  } catch {
    throw damaged(path);
  }
}

function isStoredToken(value: unknown): value is StoredToken {
  const { id, digest, tenant, scope, session, madeBy, expiresAt } = (value ?? {}) as Partial<
    Record<keyof StoredToken, unknown>
  >;
  return (
    [id, tenant, scope, digest].every((each) => typeof each === 'string') &&
    /^[0-9a-f]{64}$/.test(String(digest)) &&
    isScope(String(scope)) &&
    [session, madeBy].every((each) => each === undefined || typeof each === 'string') &&
    (expiresAt === null || typeof expiresAt === 'number')
  );
}

function damaged(path: string): TurnwireError {
  return invalid(`${path} does not hold tokens; restore it, or remove it and make new tokens`);
}

function invalid(message: string): TurnwireError {
  return new TurnwireError('invalid-input', message);
}
