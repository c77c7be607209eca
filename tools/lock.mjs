import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A folder that names no owner for this many milliseconds of waiting is given up. Its date says nothing: clocks are set back. */
const namelessFor = 5_000;

/**
 * Runs `work` while no other process holds the lock, which is a folder at `path`: making a folder either
 * succeeds or finds it made. A lock whose owner is dead is taken over.
 * @param {string} path
 * @param {{ onWait?: (owner: number | undefined) => void }} options `onWait` is called once, if there is a wait
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 * @template T
 */
export async function withLock(path, { onWait }, work) {
  let namelessSince;
  for (let waited = false; !take(path); waited = true) {
    namelessSince = ownerOf(path) === undefined ? (namelessSince ?? performance.now()) : undefined;
    const isNameless = namelessSince !== undefined && performance.now() - namelessSince > namelessFor;
    if (dropIfStale(path, isNameless)) continue;
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

/** Moves a stale lock aside first: of several that see it only one succeeds, and it looks again at what it moved. */
function dropIfStale(path, isNameless) {
  if (!isStale(path, isNameless)) return false;
  const aside = `${path}.${process.pid}`;
  try {
    renameSync(path, aside);
  } catch {
    return false;
  }
  if (isStale(aside, isNameless)) rmSync(aside, { recursive: true, force: true });
  else renameSync(aside, path);
  return true;
}

function isStale(path, isNameless) {
  const owner = ownerOf(path);
  return owner === undefined ? isNameless : !isAlive(owner);
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
