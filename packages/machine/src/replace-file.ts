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
    // Our own files are overwritten in place only if they are mounted themselves.
    const isMounted = (error as NodeJS.ErrnoException).code === 'EBUSY';
    const old = isMounted ? await lstat(path, { bigint: true }).catch(() => undefined) : undefined;
    if (typeof content !== 'string' || !old?.isFile() || old.nlink > 1n) throw error;
    await overwrite(path, old, Buffer.from(content));
  }
}

/** The target of a write: a name in a held folder. */
export interface FileTarget {
  readonly folder: HeldFolder;
  /** The path by which the folder reaches it. */
  readonly entry: string;
}

/** What to write. */
export interface Replacement {
  readonly content: string | Uint8Array;
  /** The regular file that is there, as `lstat` reports it; undefined for none. */
  readonly old: BigIntStats | undefined;
  /** A last check before the replacement: rejects when the file must not be replaced. */
  readonly confirm?: (() => Promise<void>) | undefined;
  /** Aborting it before the last step leaves everything unchanged. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Writes a file in one step: a draft next to it replaces the file when it is complete and on the disk, or is removed. Readers never see half of it,
 * and an error leaves the old content. Permissions, owner and group stay. Another name of the same file (a hard link) keeps the old content, which is
 * intended: it may be outside of the folder. A file that cannot be replaced, or whose owner would change, is written in place.
 * @throws the errors of the system; EACCES for a file marked read-only; a MovedError; the rejection of `confirm`; the signal's reason
 */
export async function replaceHeldFile(
  { folder, entry }: FileTarget,
  { content, old, confirm, signal }: Replacement,
): Promise<void> {
  if (old !== undefined) await refuseReadOnly(entry, old);
  const replacing = throughDraft(folder.entry(`.turnwire-${randomUUID()}.tmp`), async (draft) => {
    // Users without access to the file cannot read its draft either.
    await writeDraft(draft, old === undefined ? 0o666 : 0o600, async (file) => {
      // Nothing is written if the folder has been moved.
      await folder.confirm();
      await file.writeFile(content, { ...(signal && { signal }) });
      if (old !== undefined) await copyOwnership(file, old);
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
 * Copies a file in one step, as {@link replaceHeldFile} does. A new file gets the permissions of the copied one, within the umask.
 * @param old the regular file at the target, as `lstat` reports it; undefined for none
 */
export async function copyHeldFile(
  source: HeldFile,
  { folder, entry }: FileTarget,
  old: BigIntStats | undefined,
): Promise<void> {
  if (old?.isFile()) await refuseReadOnly(entry, old);
  await using from = await source.open();
  const piece = new Uint8Array(64 * 1024);
  const replacing = throughDraft(folder.entry(`.turnwire-${randomUUID()}.tmp`), async (draft) => {
    await writeDraft(draft, Number(source.stats.mode) & 0o777, async (file) => {
      await folder.confirm();
      for (let size; (size = (await from.read(piece)).bytesRead) > 0;) await file.appendFile(piece.subarray(0, size));
      if (old?.isFile()) await copyOwnership(file, old);
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

/** The owner of a file would be lost by replacing it. */
class OwnerLost extends Error {}

/**
 * Whether a file must be written in place: it is mounted itself, its folder accepts no new file, or its owner would be lost. Readers may then see it
 * half written.
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

// Replacing a file needs no permission to write to it, yet its owner forbade all writing; that applies to root as well.
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
async function copyOwnership(draft: FileHandle, old: BigIntStats): Promise<void> {
  const { uid, gid } = await draft.stat({ bigint: true });
  if (uid !== old.uid || gid !== old.gid) await changeOwner(draft, Number(old.uid), Number(old.gid));
  await draft.chmod(Number(old.mode) & 0o777);
}

// Only root can change the owner. A member of the file's group may change the group of a file that stays the user's.
async function changeOwner(draft: FileHandle, uid: number, gid: number): Promise<void> {
  await draft.chown(uid, gid).catch((cause: unknown) => {
    throw new OwnerLost('the owner of the file would change', { cause });
  });
}
