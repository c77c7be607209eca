import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A lock folder that has had no owner for this many milliseconds is stale. Its own date is unreliable, because clocks are set back. */
const ownerlessLimit = 5_000;

/**
 * Runs `work` while no other process holds the lock, a folder at `path`, because creating a folder is atomic. The lock of a dead
 * process is taken over.
 * @param {string} path
 * @param {{ onWait?: (owner: number | undefined) => void }} options `onWait` is called once, if another process holds the lock
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 * @template T
 */
export async function withLock(path, { onWait }, work) {
  let ownerlessSince;
  for (let waited = false; !take(path); waited = true) {
    ownerlessSince = ownerOf(path) === undefined ? (ownerlessSince ?? performance.now()) : undefined;
    const isOwnerless = ownerlessSince !== undefined && performance.now() - ownerlessSince > ownerlessLimit;
    if (dropIfStale(path, isOwnerless)) continue;
    if (!waited) onWait?.(ownerOf(path));
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  try {
    return await work();
  } finally {
    rmSync(path, { recursive: true, force: true });
  }
}

function take(path) {
  try {
    mkdirSync(path);
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
  try {
    writeFileSync(join(path, 'owner'), String(process.pid));
    return true;
  } catch (error) {
    rmSync(path, { recursive: true, force: true });
    throw error;
  }
}

/** Renames a stale lock before deleting it: only one of several processes can do that, and it checks the renamed folder once more. */
function dropIfStale(path, isOwnerless) {
  if (!isStale(path, isOwnerless)) return false;
  const aside = `${path}.${process.pid}`;
  try {
    renameSync(path, aside);
  } catch {
    return false;
  }
  if (isStale(aside, isOwnerless)) rmSync(aside, { recursive: true, force: true });
  else renameSync(aside, path);
  return true;
}

function isStale(path, isOwnerless) {
  const owner = ownerOf(path);
  return owner === undefined ? isOwnerless : !isAlive(owner);
}

function ownerOf(path) {
  try {
    return Number(readFileSync(join(path, 'owner'), 'utf8')) || undefined;
  } catch {
    return undefined;
  }
}

function isAlive(process_) {
  try {
    return process.kill(process_, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}
