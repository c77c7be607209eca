import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { codeOf } from './system-reason.ts';
import { GlobFilter } from './glob-filter.ts';
import { IgnoreRules } from './ignore-rules.ts';

/** Which files to list, and how. */
export interface FileListing {
  /** Absolute folder. */
  readonly folder: string;
  /**
   * Which files: globs as in `.gitignore`, but with `{a,b}`; one without a slash fits at any depth. With `!` in front it excludes.
   * The last that fits decides. What fits one counts even if an ignore file excludes it, unless the folder it is in is excluded.
   */
  readonly globs?: readonly string[] | undefined;
  /** `depth`: by name, folder by folder. `breadth`: what is near first. Default: `depth`. */
  readonly order?: 'depth' | 'breadth' | undefined;
  /** Ends it: what is awaited rejects. */
  readonly signal?: AbortSignal | undefined;
  /** Told what could not be looked at, as `path: why`, and which ignore files were not read. */
  readonly tell?: ((complaint: string) => void) | undefined;
}

/**
 * Lists the files of a folder that may hold anything, and starts no program for it: hidden ones too, but no symbolic links, nothing of
 * `.git`, and nothing that `.gitignore`, `.ignore`, `.rgignore` and `.git/info/exclude` leave out, in the folder and above it.
 * @returns paths relative to the folder, with slashes
 * @throws RangeError for globs with more than 1,000 alternatives
 */
export async function* listFiles(listing: FileListing): AsyncGenerator<string, void> {
  const walk = new Walk(listing, 'files');
  for await (const { path, isFolder } of walk.entries()) if (!isFolder) yield path;
}

/**
 * Looks for an ignore file that another program had better not read, since it is no regular file, leads out of the project or is too long.
 * @returns what is wrong with the first one; undefined if all is well
 */
export async function unfitIgnoreFile(listing: FileListing): Promise<string | undefined> {
  const walk = new Walk({ ...listing, tell: undefined }, 'folders');
  for await (const _ of walk.entries()) if (walk.unfit !== undefined) break;
  return walk.unfit;
}

interface Entry {
  /** Relative to where the walk began, with slashes; empty there. */
  readonly path: string;
  readonly isFolder: boolean;
  /** For what the folder holds that it is in. */
  readonly rules: IgnoreRules;
}

/** How long others wait at most, in milliseconds. */
const atOnce = 10;

class Walk {
  /** Why an ignore file was not read. */
  unfit: string | undefined;
  readonly #listing: FileListing;
  readonly #wanted: 'files' | 'folders';
  readonly #filter: GlobFilter;

  constructor(listing: FileListing, wanted: 'files' | 'folders') {
    this.#listing = listing;
    this.#wanted = wanted;
    this.#filter = new GlobFilter(listing.globs);
  }

  async *entries(): AsyncGenerator<Entry, void> {
    const { folder, order, signal } = this.#listing;
    const isBreadth = order === 'breadth';
    const pending: Entry[] = [{ path: '', isFolder: true, rules: IgnoreRules.above(folder, this.#complain) }];
    let next = 0;
    let since = performance.now();
    for (let entry = pending.pop(); entry !== undefined; entry = isBreadth ? pending[next++] : pending.pop()) {
      signal?.throwIfAborted();
      if (performance.now() - since > atOnce) {
        await setImmediate();
        since = performance.now();
      }
      yield entry;
      if (!entry.isFolder) continue;
      const inside = this.#inside(entry);
      for (const each of isBreadth ? inside : inside.toReversed()) pending.push(each);
    }
  }

  #inside({ path: folder, rules: above }: Entry): readonly Entry[] {
    const found = this.#read(folder);
    const absolute = join(this.#listing.folder, folder);
    const rules = above.within(absolute, new Set(found.map(({ name }) => name)), this.#complain);
    return found
      .filter((each) => each.name !== '.git' && (each.isDirectory() || (each.isFile() && this.#wanted === 'files')))
      .map((each) => ({
        path: folder === '' ? each.name : `${folder}/${each.name}`,
        isFolder: each.isDirectory(),
        rules,
      }))
      .filter((each) => this.#admits(each));
  }

  #admits({ path, isFolder, rules }: Entry): boolean {
    const verdict = this.#filter.judge(path, isFolder);
    if (verdict !== 'admitted') return verdict === 'chosen';
    return !rules.leavesOut(join(this.#listing.folder, path), isFolder);
  }

  #read(folder: string): readonly Dirent[] {
    try {
      const entries = readdirSync(join(this.#listing.folder, folder), { withFileTypes: true });
      return entries.toSorted((one, other) => Buffer.compare(Buffer.from(one.name), Buffer.from(other.name)));
    } catch (error) {
      const code = codeOf(error);
      const reason = code === 'EACCES' ? 'Permission denied' : (code ?? String(error));
      this.#listing.tell?.(`${folder === '' ? '.' : folder}: ${reason}`);
      return [];
    }
  }

  readonly #complain = (complaint: string): void => {
    this.unfit ??= complaint;
    this.#listing.tell?.(complaint);
  };
}
