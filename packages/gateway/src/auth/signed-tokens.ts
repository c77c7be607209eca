import type { TokenPrincipal } from './token-file.ts';

/** Tokens that a third party signs, such as an OpenID provider. `TokenIssuer` of `@turnwire/cluster` implements it for JWT. */
export interface SignedTokens {
  /** The principal of a token; undefined if the token is not for this gateway, or has expired. Rejects if that cannot be checked. */
  principalOf(token: string): Promise<TokenPrincipal | undefined>;
  /** When the latest token of a principal expires, in milliseconds since 1970; undefined if the principal has no such token. */
  validUntil(principal: TokenPrincipal): number | undefined;
  /** A principal whose tokens another gateway of the same issuer accepted; undefined if they have expired. */
  shownElsewhere(principal: TokenPrincipal, until: number): TokenPrincipal | undefined;
  /** Reports each principal whose tokens have expired, so that its connections can be closed. @returns stops the reports */
  watch(onEnd: (principal: TokenPrincipal) => void): () => void;
}
