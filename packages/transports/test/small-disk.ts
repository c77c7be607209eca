import { execFileSync } from 'node:child_process';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';

/** Whether this process may mount a disk. Root in a container may lack that permission. */
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

/** The folder of a disk of 128 KiB, or of another size, for the duration of the test. */
export async function smallDisk(kibibytes: number = 128): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'turnwire-disk-')));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${kibibytes}k`, 'tmpfs', folder]);
  onTestFinished(async () => {
    execFileSync('umount', ['-l', folder]);
    await rm(folder, { recursive: true, force: true });
  });
  return folder;
}

/** Fills a disk with one file, and returns its path. */
export async function fill(folder: string): Promise<string> {
  const path = join(folder, 'filler');
  const failure = await writeFile(path, 'x'.repeat(4 * 1024 * 1024)).catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: 'ENOSPC' });
  return path;
}
