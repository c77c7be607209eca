import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A folder that never named its owner is given up after this many milliseconds. */
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
  for (let waited = false; !take(path); waited = true) {
    if (dropIfStale(path)) continue;
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
  writeFileSync(join(path, 'owner'), String(process.pid));
  return true;
}

/** Moves a stale lock aside first: of several that see it only one succeeds, and it looks again at what it moved. */
function dropIfStale(path) {
  if (!isStale(path)) return false;
  const aside = `${path}.${process.pid}`;
  try {
    renameSync(path, aside);
  } catch {
    return false;
  }
  if (isStale(aside)) rmSync(aside, { recursive: true, force: true });
  else renameSync(aside, path);
  return true;
}

function isStale(path) {
  const owner = ownerOf(path);
  return owner === undefined ? ageOf(path) > namelessFor : !isAlive(owner);
}

function ownerOf(path) {
  try {
    return Number(readFileSync(join(path, 'owner'), 'utf8')) || undefined;
  } catch {
    return undefined;
  }
}

function ageOf(path) {
  const made = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  return made === undefined ? 0 : Date.now() - made;
}

function isAlive(process_) {
  try {
    return process.kill(process_, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}
