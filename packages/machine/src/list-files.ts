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
   * Which files: globs as in `.gitignore`, but with `{a,b}`; one without a slash matches at any depth. A leading `!` excludes. The last
   * match decides. A match counts even if an ignore file excludes the file, unless its folder is excluded.
   */
  readonly globs?: readonly string[] | undefined;
  /** `depth`: by name, folder by folder. `breadth`: nearest files first. Default: `depth`. */
  readonly order?: 'depth' | 'breadth' | undefined;
  /** Ends the listing: a pending step rejects. */
  readonly signal?: AbortSignal | undefined;
  /** Receives paths that could not be read, as `path: reason`, and ignore files that were not read. */
  readonly report?: ((message: string) => void) | undefined;
}

/** Globs that exclude the files of package managers and interpreters, of which a project may have tens of thousands. */
export const withoutInstalled: readonly string[] = ['!node_modules', '!.venv', '!__pycache__'];

/**
 * Lists the files of an untrusted folder without starting a program: hidden files too, but no symbolic links, nothing in `.git`, and
 * nothing excluded by `.gitignore`, `.ignore`, `.rgignore` and `.git/info/exclude`, in the folder and above it.
 * @returns paths relative to the folder, with slashes
 * @throws RangeError for globs with more than 1,000 alternatives
 */
export async function* listFiles(listing: FileListing): AsyncGenerator<string, void> {
  const walk = new Walk(listing, 'files');
  for await (const { path, isFolder } of walk.entries()) if (!isFolder) yield path;
}

/**
 * Finds an ignore file that other programs should not read, since it is not a regular file, leads out of the project or is too long.
 * @returns a message about the first such file; undefined without one
 */
export async function unfitIgnoreFile(listing: FileListing): Promise<string | undefined> {
  const walk = new Walk({ ...listing, report: undefined }, 'folders');
  for await (const _ of walk.entries()) if (walk.unfit !== undefined) break;
  return walk.unfit;
}

interface Entry {
  /** Relative to the start of the walk, with slashes; empty for the start. */
  readonly path: string;
  readonly isFolder: boolean;
  /** The rules for the contents of the folder it is in. */
  readonly rules: IgnoreRules;
}

/** Milliseconds after which other work gets a turn. */
const timeSlice = 10;

class Walk {
  /** Message about an ignore file that was not read. */
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
    const pending: Entry[] = [{ path: '', isFolder: true, rules: IgnoreRules.above(folder, this.#report) }];
    let next = 0;
    let since = performance.now();
    for (let entry = pending.pop(); entry !== undefined; entry = isBreadth ? pending[next++] : pending.pop()) {
      signal?.throwIfAborted();
      if (performance.now() - since > timeSlice) {
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
    const rules = above.within(absolute, new Set(found.map(({ name }) => name)), this.#report);
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
      this.#listing.report?.(`${folder === '' ? '.' : folder}: ${reason}`);
      return [];
    }
  }

  readonly #report = (message: string): void => {
    this.unfit ??= message;
    this.#listing.report?.(message);
  };
}
