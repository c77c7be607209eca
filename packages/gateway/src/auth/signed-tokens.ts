import type { TokenPrincipal } from './token-file.ts';

/** Tokens that somebody else signs, such as an OpenID provider. `TokenIssuer` of `@turnwire/cluster` implements it for JWT. */
export interface SignedTokens {
  /** Whose token this is; undefined if it is not one for this gateway, or has expired. Rejects if that cannot be found out. */
  principalOf(token: string): Promise<TokenPrincipal | undefined>;
  /** When the last token that was shown for a principal expires, in milliseconds since 1970; undefined if it has none of these. */
  validUntil(principal: TokenPrincipal): number | undefined;
  /** A principal whose tokens were shown elsewhere, to another gateway that accepts them; undefined if they have expired. */
  shownElsewhere(principal: TokenPrincipal, until: number): TokenPrincipal | undefined;
  /** Reports each principal whose tokens have expired, so that what it has open can be closed. @returns ends it */
  watch(onEnd: (principal: TokenPrincipal) => void): () => void;
}
