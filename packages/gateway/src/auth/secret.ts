import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** A secret of 256 random bits: 43 characters that every header and URL can carry. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** What is kept of a secret. A digest is enough: nobody finds 256 random bits by trying. */
export function digestOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/**
 * What belongs to a secret. It takes as long for a wrong one as for a right one, whatever it has in common with one: digests are compared,
 * each of them, and each whole.
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
