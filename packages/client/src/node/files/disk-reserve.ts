import { statfs } from 'node:fs/promises';
import { errorCodes, ProtocolError } from '@turnwire/protocol';
import type { ConfinedLocation } from './confined-location.ts';

const mebibyte = 1024 * 1024;

/** The space that stays free on a disk, in bytes, for other sessions and other programs. On a small disk it is a twentieth. */
const reserve = 64 * mebibyte;

/** Throws the ProtocolError to answer with if writing a text would leave less free space than the reserve. */
export async function refuseToFill(
  location: ConfinedLocation,
  { path, content }: { path: string; content: string },
): Promise<void> {
  const { bavail, bsize, blocks } = await statfs(location.folder.entry('.'));
  const free = bavail * bsize;
  const kept = Math.min(reserve, (blocks * bsize) / 20);
  if (free - Buffer.byteLength(content) >= kept) return;
  throw new ProtocolError(
    errorCodes.internalError,
    `${path} cannot be written: the disk is full, except for a reserve of ${inWords(kept)} that agents may not use. ` +
      `It has ${inWords(free)} left: free some space and try again. The old content is unchanged.`,
  );
}

function inWords(bytes: number): string {
  return bytes >= mebibyte ? `${Math.floor(bytes / mebibyte)} MiB` : `${Math.floor(bytes / 1024)} KiB`;
}
