import { randomUUID } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { access, constants, type FileHandle, open, rename, rm } from 'node:fs/promises';
import type { ConfinedPlace } from './confined-place.ts';

/** What to write. */
export interface Replacement {
  readonly content: string;
  /** Aborting it before the last step leaves everything as it was. */
  readonly signal: AbortSignal;
}

/**
 * Makes a file hold a text, in one step: a draft beside it takes its place when it is complete and on the disk, or is removed. Another
 * name of the same file (a hard link) therefore keeps the old content, which is right: it may be outside.
 * @param old the file that is there; undefined for none
 */
export async function replaceFile(
  place: ConfinedPlace,
  old: BigIntStats | undefined,
  { content, signal }: Replacement,
): Promise<void> {
  // Taking the place of a file needs no right to write to it, yet its owner asked for nobody to.
  if (old !== undefined) await access(place.entry, constants.W_OK);
  const draft = place.folder.entry(`.agentwire-${randomUUID()}.tmp`);
  try {
    await writeDraft(place, draft, { old, content, signal });
    await place.folder.confirm();
    signal.throwIfAborted();
    await rename(draft, place.entry);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw error;
  }
}

interface Draft extends Replacement {
  readonly old: BigIntStats | undefined;
}

async function writeDraft({ folder }: ConfinedPlace, path: string, { old, content, signal }: Draft): Promise<void> {
  // Nobody reads the draft of a file that was closed to them.
  await using draft = await open(path, 'wx', old === undefined ? 0o666 : 0o600);
  // Nothing is told to a file that came to be elsewhere.
  await folder.confirm();
  await draft.writeFile(content, { signal });
  if (old !== undefined) await takeAfter(draft, old);
  await draft.sync();
}

/** Owner, group and permissions. The set-user and set-group bits are dropped, as the system does for any write. */
async function takeAfter(draft: FileHandle, old: BigIntStats): Promise<void> {
  const { uid, gid } = await draft.stat({ bigint: true });
  if (uid !== old.uid || gid !== old.gid) await changeOwner(draft, Number(old.uid), Number(old.gid));
  await draft.chmod(Number(old.mode) & 0o777);
}

// Only root gives files away, and a member of its group keeps that. Where neither is possible the writer owns it, as with most editors.
async function changeOwner(draft: FileHandle, uid: number, gid: number): Promise<void> {
  await draft
    .chown(uid, gid)
    .catch(() => draft.chown(-1, gid))
    .catch(() => undefined);
}
