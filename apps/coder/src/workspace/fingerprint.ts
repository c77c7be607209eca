import { createHash } from 'node:crypto';

/**
 * Two texts with the same fingerprint are the same to whoever reads them: byte order mark and kind of line ending do not count, since
 * editors hide them, and changes keep them as they are at that moment.
 */
export function fingerprint(text: string): string {
  return createHash('sha256')
    .update(text.replace(/^\uFEFF/u, '').replaceAll('\r\n', '\n'))
    .digest('base64');
}
