import { createHash } from 'node:crypto';

/**
 * Two texts with the same fingerprint look the same: byte order mark and kind of line ending are ignored, since
 * editors hide them, and changes retain them.
 */
export function fingerprint(text: string): string {
  return createHash('sha256')
    .update(text.replace(/^\uFEFF/u, '').replaceAll('\r\n', '\n'))
    .digest('base64');
}
