import { readFile, stat } from 'node:fs/promises';
import { TurnwireError } from '@turnwire/protocol';
import type { JWTPayload, JWTVerifyGetKey, JWTVerifyOptions } from 'jose';
import type { Scope, SignedTokens, TokenPrincipal } from '@turnwire/gateway';

/** Options of a {@link TokenIssuer}. */
export interface TokenIssuerOptions {
  /** The exact value of the claim `iss`. */
  readonly issuer: string;
  /** The value of the claim `aud`: this gateway's name at the issuer. */
  readonly audience: string;
  /** The public keys, as a JSON Web Key Set: an `https:` URL, or the path of a file, which may change. */
  readonly keys: string;
}

/** Public-key algorithms only: with a shared key, everyone who can verify a token could also sign one. */
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
/** The scopes that a token may name, the most powerful first. */
const scopes: readonly Scope[] = ['admin', 'control', 'observe'];
/** The longest tenant and subject, in characters. */
const longestName = 256;
/** The tolerated difference between the clocks of the issuer and this machine, in seconds. */
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
 * Accepts tokens that a third party signs (JWT, such as those of an OpenID provider). The claim `tenant` names the tenant whose sessions a token
 * opens, `sub` its holder, and `scope` contains `turnwire:observe`, `turnwire:control` or `turnwire:admin` among other words. `exp` is required. All
 * tokens that agree in these claims share one principal, which ends when the last of them expires.
 */
export class TokenIssuer implements SignedTokens {
  readonly #options: TokenIssuerOptions;
  readonly #known = new Map<string, Known>();
  readonly #watchers = new Set<(principal: TokenPrincipal) => void>();
  #remote: JWTVerifyGetKey | undefined;
  #file: { readonly state: string; readonly keys: JWTVerifyGetKey } | undefined;

  /** @throws TurnwireError `invalid-input` for an unencrypted key URL, whose keys could be replaced on the network */
  constructor(options: TokenIssuerOptions) {
    this.#options = options;
    if (options.keys.startsWith('http:'))
      throw invalid(`keys are read from a file or an https: URL, not from ${options.keys}`);
  }

  /** The principal of a token; undefined if the issuer did not sign it for this gateway, or it has expired. Rejects if the keys cannot be read. */
  async principalOf(token: string): Promise<TokenPrincipal | undefined> {
    const claims = await this.#claimsOf(token);
    const { sub, exp, tenant, scope } = claims ?? {};
    const scopeWords = typeof scope === 'string' ? scope.split(' ') : [];
    const granted = scopes.find((each) => scopeWords.includes(`turnwire:${each}`));
    // The tenant `local` belongs to the user who runs the gateway.
    if (!isName(sub) || !isName(tenant) || tenant === 'local' || exp === undefined || !granted) return undefined;
    return this.#principal({ id: sub, tenant, scope: granted }, exp * 1_000);
  }

  /** When the latest token of a principal expires, in milliseconds since 1970; undefined if the principal is not from this issuer. */
  validUntil(principal: TokenPrincipal): number | undefined {
    const known = this.#known.get(keyOf(principal));
    return known?.principal === principal ? known.until : undefined;
  }

  /** A principal whose tokens another gateway of the same issuer accepted; undefined if they have expired. */
  shownElsewhere(principal: TokenPrincipal, until: number): TokenPrincipal | undefined {
    return until > Date.now() ? this.#principal(principal, until) : undefined;
  }

  /** Reports each principal whose tokens have expired, so that its connections can be closed. @returns stops the reports */
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
    const { keys: location } = this.#options;
    if (location.startsWith('https:')) return (this.#remote ??= createRemoteJWKSet(new URL(location)));
    const { ino, size, mtimeNs } = await stat(location, { bigint: true });
    const state = `${ino} ${size} ${mtimeNs}`;
    if (this.#file?.state !== state)
      this.#file = { state, keys: createLocalJWKSet(JSON.parse(await readFile(location, 'utf8')) as never) };
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
  // PostgreSQL stores every lone surrogate as the same character, so two names would become one.
  const isText = typeof value === 'string' && value !== '' && value.length <= longestName;
  return isText && !/[\0\p{Surrogate}]/u.test(value);
}

function invalid(message: string, cause?: unknown): TurnwireError {
  return new TurnwireError('invalid-input', message, { cause });
}
