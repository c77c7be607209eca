import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** A secret of 256 random bits: 43 characters that are valid in every header and URL. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** The stored form of a secret: SHA-256, in hexadecimal digits. It needs no salt, because 256 random bits cannot be guessed. */
export function digestOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/**
 * Finds the record of a secret. Compares whole digests, and all of them, in constant time: the time does not depend on how similar a wrong secret is
 * to a right one.
 */
export function matching<Kept extends { readonly digest: string }>(
  kept: Iterable<Kept>,
  secret: string,
): Kept | undefined {
  const digest = Buffer.from(digestOf(secret));
  let found: Kept | undefined;
  for (const each of kept) if (timingSafeEqual(Buffer.from(each.digest), digest)) found = each;
  return found;
}
