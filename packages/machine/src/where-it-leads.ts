import { lstat, readlink, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, sep } from 'node:path';
import { isMissing, undefinedIfMissing } from './system-reason.ts';

const maxLinks = 40;

/**
 * Like `realpath`, but also for paths that do not exist yet: returns their future location, even through dangling links.
 * @param path absolute
 * @returns rejects with the error of the file system if the result is unknown
 */
export async function whereItLeads(path: string, links: number = maxLinks): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (!isMissing(error) || links === 0 || dirname(path) === path) throw error;
  }
  const target = await linkTarget(path);
  if (target === undefined) return join(await whereItLeads(dirname(path), links), basename(path));
  return whereItLeads(target, links - 1);
}

/** The absolute but unresolved target of a symbolic link; undefined for other entries. */
async function linkTarget(path: string): Promise<string | undefined> {
  const entry = await lstat(path).catch(undefinedIfMissing);
  if (!entry?.isSymbolicLink()) return undefined;
  return linkTargetFrom(dirname(path), await readlink(path));
}

/** The target of a link in a folder. Not normalized: the meaning of `..` after another link is up to the system. */
export function linkTargetFrom(folder: string, target: string): string {
  return isAbsolute(target) ? target : `${folder}${sep}${target}`;
}
