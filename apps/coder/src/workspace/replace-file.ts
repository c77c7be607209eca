import { randomUUID } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { access, constants, lstat, open, rename, rm } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { isMissing, notRegular } from './file-failure.ts';
import { holdFolder } from './held.ts';
import type { HeldFolder, HoldingWay } from './held.ts';
import type { WorkspacePath } from './workspace.ts';

/** What a file shall hold. */
export interface Replacement {
  readonly bytes: Uint8Array;
  /** The last thing done before the new content takes its place: rejects when it must not. */
  readonly confirm: () => Promise<void>;
  readonly way?: HoldingWay | undefined;
}

/**
 * Makes a file hold some bytes in one step, so that no reader ever sees half of them, and no error leaves less than there was: a draft
 * beside it takes its place once it is complete and on the disk. Missing folders are made. Permissions stay; owner and group where
 * the system allows. Another name of the same file (a hard link) keeps the old content: it may be outside the workspace.
 * @throws ToolError, and errors of the system
 */
export async function replaceFile({ real, shown }: WorkspacePath, change: Replacement): Promise<void> {
  await using folder = await holdFolder(dirname(real), shown, change.way);
  const entry = folder.entry(basename(real));
  const old = await lstat(entry, { bigint: true }).catch(undefinedIfMissing);
  if (old !== undefined && !old.isFile()) throw notRegular(shown, old);
  if (old !== undefined) await refuseReadOnly(entry, old);
  const draft = folder.entry(`.agentwire-${randomUUID()}.tmp`);
  try {
    await writeDraft(draft, { folder, old, bytes: change.bytes });
    await change.confirm();
    await folder.confirm();
    await rename(draft, entry);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw error;
  }
}

// Taking the place of a file needs no right to write to it, yet its owner asked for nobody to; also not the superuser, who may.
async function refuseReadOnly(entry: string, { mode }: BigIntStats): Promise<void> {
  if ((mode & 0o222n) === 0n) throw Object.assign(new Error('EACCES'), { code: 'EACCES' });
  await access(entry, constants.W_OK);
}

interface Draft {
  readonly folder: HeldFolder;
  readonly old: BigIntStats | undefined;
  readonly bytes: Uint8Array;
}

async function writeDraft(path: string, { folder, old, bytes }: Draft): Promise<void> {
  // Nobody reads the draft of a file that was closed to them.
  await using draft = await open(path, 'wx', old === undefined ? 0o666 : 0o600);
  // Nothing is told to a file that came to be elsewhere.
  await folder.confirm();
  await draft.writeFile(bytes);
  if (old !== undefined) await takeAfter(draft, old);
  await draft.sync();
}

// The set-user and set-group bits are dropped, as the system does for any write.
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

function undefinedIfMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error;
}
