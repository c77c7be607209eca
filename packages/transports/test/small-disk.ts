import { execFileSync } from 'node:child_process';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';

/** Whether this process may mount a disk of its own. Containers may be root and still not be allowed to. */
export function canMount(): boolean {
  if (process.getuid?.() !== 0) return false;
  const folder = execFileSync('mktemp', ['-d'], { encoding: 'utf8' }).trim();
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder], { stdio: 'ignore' });
    execFileSync('umount', [folder]);
    return true;
  } catch {
    return false;
  } finally {
    execFileSync('rmdir', [folder]);
  }
}

/** The folder of a disk of 128 KiB, or of another size, until the test is over. */
export async function smallDisk(kibibytes: number = 128): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'turnwire-disk-')));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${kibibytes}k`, 'tmpfs', folder]);
  onTestFinished(async () => {
    execFileSync('umount', ['-l', folder]);
    await rm(folder, { recursive: true, force: true });
  });
  return folder;
}

/** Fills a disk with a file, whose path is returned. */
export async function fill(folder: string): Promise<string> {
  const path = join(folder, 'filler');
  const failure = await writeFile(path, 'x'.repeat(4 * 1024 * 1024)).catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: 'ENOSPC' });
  return path;
}
