import { readFile, stat } from 'node:fs/promises';
import { TurnwireError } from '@turnwire/protocol';
import type { JWTPayload, JWTVerifyGetKey, JWTVerifyOptions } from 'jose';
import type { Scope, SignedTokens, TokenPrincipal } from '@turnwire/gateway';

/** Whose signed tokens are accepted. */
export interface TokenIssuerOptions {
  /** What the claim `iss` of its tokens is, exactly. */
  readonly issuer: string;
  /** What the claim `aud` names: this gateway, as the issuer knows it. */
  readonly audience: string;
  /** Where its public keys are, as a JSON Web Key Set: an `https:` URL, or the path of a file, which may change. */
  readonly keys: string;
}

/** Keys are public: whoever could check with a shared one could sign, too. */
const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
/** The scopes that a token may name, the one that may do most first. */
const scopes: readonly Scope[] = ['admin', 'control', 'observe'];
/** The longest tenant and subject, in characters. */
const longestName = 256;
/** By how much the clocks of the issuer and of this machine may differ, in seconds. */
const clockTolerance = 30;
/** The longest delay of a timer, in milliseconds. */
const longestWait = 2 ** 31 - 1;

interface Known {
  readonly principal: TokenPrincipal;
  /** Milliseconds since 1970. */
  until: number;
  timer: ReturnType<typeof setTimeout>;
}

/**
 * Tokens that somebody else signs (JWT, such as those of an OpenID provider). The claim `tenant` says whose sessions a token opens, `sub` who
 * has it, `scope` what it is for: `turnwire:observe`, `turnwire:control` or `turnwire:admin` among other words. `exp` is needed. There is one
 * principal for all tokens that agree in these; it ends when the last of them expires.
 */
export class TokenIssuer implements SignedTokens {
  readonly #options: TokenIssuerOptions;
  readonly #known = new Map<string, Known>();
  readonly #watchers = new Set<(principal: TokenPrincipal) => void>();
  #remote: JWTVerifyGetKey | undefined;
  #file: { readonly state: string; readonly keys: JWTVerifyGetKey } | undefined;

  /** @throws TurnwireError `invalid-input` for keys at an address that anybody on the way could change */
  constructor(options: TokenIssuerOptions) {
    this.#options = options;
    if (options.keys.startsWith('http:'))
      throw invalid(`keys are read from a file or an https: URL, not from ${options.keys}`);
  }

  /** Whose token this is; undefined if it is not one of the issuer for this gateway, or is over. Rejects if the keys cannot be read. */
  async principalOf(token: string): Promise<TokenPrincipal | undefined> {
    const claims = await this.#claimsOf(token);
    const { sub, exp, tenant, scope } = claims ?? {};
    const words = typeof scope === 'string' ? scope.split(' ') : [];
    const granted = scopes.find((each) => words.includes(`turnwire:${each}`));
    // The sessions of the user who runs the gateway are nobody else's.
    if (!isName(sub) || !isName(tenant) || tenant === 'local' || exp === undefined || !granted) return undefined;
    return this.#principal({ id: sub, tenant, scope: granted }, exp * 1_000);
  }

  /** When the last token that was shown for a principal expires, in milliseconds since 1970; undefined if it is none of the issuer's. */
  validUntil(principal: TokenPrincipal): number | undefined {
    const known = this.#known.get(keyOf(principal));
    return known?.principal === principal ? known.until : undefined;
  }

  /** A principal whose tokens were shown elsewhere, to another gateway of the same issuer; undefined if they have expired. */
  shownElsewhere(principal: TokenPrincipal, until: number): TokenPrincipal | undefined {
    return until > Date.now() ? this.#principal(principal, until) : undefined;
  }

  /** Reports each principal whose tokens have expired, so that what it has open can be closed. @returns ends it */
  watch(onEnd: (principal: TokenPrincipal) => void): () => void {
    this.#watchers.add(onEnd);
    return () => {
      this.#watchers.delete(onEnd);
      if (this.#watchers.size > 0) return;
      for (const { timer } of this.#known.values()) clearTimeout(timer);
      this.#known.clear();
    };
  }

  async #claimsOf(token: string): Promise<JWTPayload | undefined> {
    const { errors, jwtVerify } = await import('jose').catch((cause: unknown) => {
      throw invalid('the package jose@6.2.17 is missing; install it to accept signed tokens', cause);
    });
    const { issuer, audience } = this.#options;
    const options: JWTVerifyOptions = { issuer, audience, algorithms, clockTolerance, requiredClaims: ['exp'] };
    try {
      return (await jwtVerify(token, await this.#keys(), options)).payload;
    } catch (error) {
      const isToken = error instanceof errors.JOSEError && !(error instanceof errors.JWKSTimeout);
      if (isToken && error.code !== 'ERR_JOSE_GENERIC') return undefined;
      throw error;
    }
  }

  async #keys(): Promise<JWTVerifyGetKey> {
    const { createLocalJWKSet, createRemoteJWKSet } = await import('jose');
    const { keys: place } = this.#options;
    if (place.startsWith('https:')) return (this.#remote ??= createRemoteJWKSet(new URL(place)));
    const { ino, size, mtimeNs } = await stat(place, { bigint: true });
    const state = `${ino} ${size} ${mtimeNs}`;
    if (this.#file?.state !== state)
      this.#file = { state, keys: createLocalJWKSet(JSON.parse(await readFile(place, 'utf8')) as never) };
    return this.#file.keys;
  }

  #principal(wanted: TokenPrincipal, until: number): TokenPrincipal {
    const key = keyOf(wanted);
    const known = this.#known.get(key);
    if (known && known.until >= until) return known.principal;
    clearTimeout(known?.timer);
    const principal = known?.principal ?? wanted;
    this.#known.set(key, { principal, until, timer: this.#expiry(key, until) });
    return principal;
  }

  #expiry(key: string, until: number): ReturnType<typeof setTimeout> {
    const end = (): void => {
      const known = this.#known.get(key);
      if (!known) return;
      if (Date.now() < until) return void (known.timer = this.#expiry(key, until));
      this.#known.delete(key);
      for (const onEnd of this.#watchers) onEnd(known.principal);
    };
    return setTimeout(end, Math.min(longestWait, Math.max(0, until - Date.now()) + 1)).unref();
  }
}

function keyOf({ id, tenant, scope }: TokenPrincipal): string {
  return JSON.stringify([id, tenant, scope]);
}

function isName(value: unknown): value is string {
  // PostgreSQL stores every lone surrogate as the same character, so that two names would become one.
  const isText = typeof value === 'string' && value !== '' && value.length <= longestName;
  return isText && !/[\0\p{Surrogate}]/u.test(value);
}

function invalid(message: string, cause?: unknown): TurnwireError {
  return new TurnwireError('invalid-input', message, { cause });
}
