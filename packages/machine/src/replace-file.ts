import { randomUUID } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { access, constants, type FileHandle, lstat, open, rename, rm } from 'node:fs/promises';
import type { HeldFile, HeldFolder } from './holding/holding.ts';
import { systemError } from './system-reason.ts';

/**
 * Replaces a file atomically: a reader sees the old content or the new one, also after a crash or on a full disk. A link is replaced, not
 * followed.
 * @param content in one piece, or in chunks generated while writing
 * @param mode of the file. Default: only the user may read it
 */
export async function replaceFile(
  path: string,
  content: string | AsyncIterable<string>,
  mode: number = 0o600,
): Promise<void> {
  try {
    await throughDraft(`${path}.${randomUUID()}.tmp`, async (draft) => {
      await writeDraft(draft, mode, async (file) => {
        for await (const piece of typeof content === 'string' ? [content] : content) await file.appendFile(piece);
      });
      await rename(draft, path);
    });
  } catch (error) {
    // A file of ours is only written in place where it is mounted by itself.
    const isMounted = (error as NodeJS.ErrnoException).code === 'EBUSY';
    const old = isMounted ? await lstat(path, { bigint: true }).catch(() => undefined) : undefined;
    if (typeof content !== 'string' || !old?.isFile() || old.nlink > 1n) throw error;
    await overwrite(path, old, Buffer.from(content));
  }
}

/** Where to write: a name in a folder that is held on to. */
export interface FilePlace {
  readonly folder: HeldFolder;
  /** The path by which the folder reaches it. */
  readonly entry: string;
}

/** What to write. */
export interface Replacement {
  readonly content: string | Uint8Array;
  /** The regular file that is there, as `lstat` reports it; undefined for none. */
  readonly old: BigIntStats | undefined;
  /** The last look before the new content takes its place: rejects when it must not. */
  readonly confirm?: (() => Promise<void>) | undefined;
  /** Aborting it before the last step leaves everything as it was. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Makes a file hold a text or bytes, in one step: a draft beside it takes its place when it is complete and on the disk, or is removed.
 * Nobody sees half of it, and an error leaves what was there. Permissions, owner and group stay. Another name of the same file (a hard
 * link) keeps the old content, which is right: it may be outside. A file that cannot be replaced, or whose owner would change, is
 * written in place.
 * @throws the errors of the system; EACCES for a file marked read-only; a MovedError; what `confirm` rejects with; the signal's reason
 */
export async function replaceHeldFile(
  { folder, entry }: FilePlace,
  { content, old, confirm, signal }: Replacement,
): Promise<void> {
  if (old !== undefined) await refuseReadOnly(entry, old);
  const replacing = throughDraft(folder.entry(`.turnwire-${randomUUID()}.tmp`), async (draft) => {
    // Nobody reads the draft of a file that was closed to them.
    await writeDraft(draft, old === undefined ? 0o666 : 0o600, async (file) => {
      // Nothing is written to a file that came to be elsewhere.
      await folder.confirm();
      await file.writeFile(content, { ...(signal && { signal }) });
      if (old !== undefined) await takeAfter(file, old);
    });
    await confirm?.();
    await folder.confirm();
    signal?.throwIfAborted();
    await rename(draft, entry);
  });
  await replacing.catch(async (error: unknown) => {
    if (old === undefined || old.nlink > 1n || !isIrreplaceable(error)) throw error;
    await confirm?.();
    await folder.confirm();
    signal?.throwIfAborted();
    await overwrite(entry, old, Buffer.from(content));
  });
}

/**
 * Copies a file to a place in one step, as {@link replaceHeldFile} does. A new file gets the permissions of the copied one, within the umask.
 * @param old the regular file that is there, as `lstat` reports it; undefined for none
 */
export async function copyHeldFile(
  source: HeldFile,
  { folder, entry }: FilePlace,
  old: BigIntStats | undefined,
): Promise<void> {
  if (old?.isFile()) await refuseReadOnly(entry, old);
  await using from = await source.open();
  const piece = new Uint8Array(64 * 1024);
  const replacing = throughDraft(folder.entry(`.turnwire-${randomUUID()}.tmp`), async (draft) => {
    await writeDraft(draft, Number(source.stats.mode) & 0o777, async (file) => {
      await folder.confirm();
      for (let size; (size = (await from.read(piece)).bytesRead) > 0;) await file.appendFile(piece.subarray(0, size));
      if (old?.isFile()) await takeAfter(file, old);
    });
    await folder.confirm();
    await rename(draft, entry);
  });
  await replacing.catch(async (error: unknown) => {
    if (!old?.isFile() || old.nlink > 1n || !isIrreplaceable(error)) throw error;
    await using again = await source.open();
    await folder.confirm();
    await overwrite(entry, old, await again.readFile());
  });
}

/** The owner of a file cannot be kept if another one takes its place. */
class OwnerLost extends Error {}

/**
 * Whether a file has to stay the one that it is: it is mounted by itself, its folder takes no new file, or its owner would be lost. Then it is
 * written in place, and a reader may see it half written.
 */
function isIrreplaceable(error: unknown): boolean {
  const { code = '' } = (error ?? {}) as NodeJS.ErrnoException;
  return error instanceof OwnerLost || /^(?:EBUSY|EACCES|EPERM|EROFS|EXDEV)$/.test(code);
}

/** Writes into a file. If that fails, such as on a full disk, its old content is written back. */
async function overwrite(path: string, old: BigIntStats, content: Uint8Array): Promise<void> {
  await using file = await open(path, constants.O_RDWR | constants.O_NOFOLLOW);
  const { ino, dev } = await file.stat({ bigint: true });
  if (ino !== old.ino || dev !== old.dev) throw systemError('ESTALE');
  const before = await file.readFile();
  try {
    await fill(file, content);
  } catch (error) {
    await fill(file, before).catch(() => undefined);
    throw error;
  }
}

async function fill(file: FileHandle, content: Uint8Array): Promise<void> {
  for (let at = 0; at < content.length;) at += (await file.write(content, at, content.length - at, at)).bytesWritten;
  await file.truncate(content.length);
  await file.sync();
}

// Taking the place of a file needs no right to write to it, yet its owner let no one write to it; not even the superuser, who may.
async function refuseReadOnly(entry: string, { mode }: BigIntStats): Promise<void> {
  if ((mode & 0o222n) === 0n) throw systemError('EACCES');
  await access(entry, constants.W_OK);
}

async function throughDraft(draft: string, work: (draft: string) => Promise<void>): Promise<void> {
  try {
    await work(draft);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw error;
  }
}

async function writeDraft(path: string, mode: number, fill: (draft: FileHandle) => Promise<void>): Promise<void> {
  await using draft = await open(path, 'wx', mode);
  await fill(draft);
  await draft.sync();
}

/** Owner, group and permissions. The set-user and set-group bits are dropped, as the system does for any write. */
async function takeAfter(draft: FileHandle, old: BigIntStats): Promise<void> {
  const { uid, gid } = await draft.stat({ bigint: true });
  if (uid !== old.uid || gid !== old.gid) await changeOwner(draft, Number(old.uid), Number(old.gid));
  await draft.chmod(Number(old.mode) & 0o777);
}

// Only root gives files away. A member of its group may change that of a file that stays the user's.
async function changeOwner(draft: FileHandle, uid: number, gid: number): Promise<void> {
  await draft.chown(uid, gid).catch((cause: unknown) => {
    throw new OwnerLost('the owner of the file would change', { cause });
  });
}
