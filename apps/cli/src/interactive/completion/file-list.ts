import { isAbsolute, join } from 'node:path';
import fuzzysort from 'fuzzysort';
import { listFiles, withoutInstalled } from '@turnwire/machine';

/** The most files that are listed. */
const mostFiles = 30_000;
/** Time limit of a listing, in milliseconds: the files found by then are offered. */
const longest = 5_000;
/** How long a list is reused, in milliseconds. */
const freshness = 10_000;
/** How long the first list grows unseen, in milliseconds. Each time it is shown, the next time is twice as far away. */
const firstShown = 100;
/** The most paths that are ranked for a search. Ranking is slow, and of so many nobody reads the last ones. */
const mostRanked = 1_000;

/**
 * The files of a folder that its project does not ignore, and their folders, as relative paths, the nearest first. Folders end in a slash. No
 * program is started: anybody may have written the folder, and git runs what its configuration says.
 */
export class FileList {
  readonly #folder: string;
  readonly #changed: () => void;
  readonly #most: number;
  #paths: readonly string[] = [];
  #isCut = false;
  #listedAt = -Infinity;
  /** The folder that was typed, as far as the list may lack its files. */
  #typed: { readonly folder: string; readonly paths: readonly string[] } | undefined;

  /** @param changed called when there are more paths */
  constructor(folder: string, changed: () => void, most: number = mostFiles) {
    this.#folder = folder;
    this.#changed = changed;
    this.#most = most;
  }

  /** Whether there are more files than were listed. */
  get isCut(): boolean {
    return this.#isCut;
  }

  /** Lists the files, unless that was done a moment ago. Resolves when it is done. */
  async refresh(): Promise<void> {
    if (performance.now() - this.#listedAt < freshness) return;
    this.#listedAt = performance.now();
    this.#typed = undefined;
    const isFirst = this.#paths.length === 0;
    let shownAt = performance.now() + firstShown;
    const { paths, isCut } = await pathsIn(this.#folder, this.#most, (soFar) => {
      const now = performance.now();
      if (!isFirst || now < shownAt) return;
      shownAt = now + 2 * (now - this.#listedAt);
      this.#paths = soFar;
      this.#changed();
    });
    [this.#paths, this.#isCut] = [paths, isCut];
    this.#changed();
  }

  /** The best paths for a search, at most so many. If the list was cut, the folder that the search begins with is read. */
  find(search: string, most: number): readonly string[] {
    const folder = search.slice(0, search.lastIndexOf('/') + 1);
    if (this.#isCut && folder !== '') void this.#lookInto(folder);
    if (search === '') return this.#paths.slice(0, most);
    const typed = this.#typed?.folder === folder ? this.#typed.paths : [];
    const candidates = [typed, this.#paths].flatMap((paths) => candidatesFor(search.toLowerCase(), paths, most));
    return fuzzysort.go(search, [...new Set(candidates)], { limit: most, threshold: 0 }).map(({ target }) => target);
  }

  async #lookInto(folder: string): Promise<void> {
    if (this.#typed?.folder === folder || isAbsolute(folder) || folder.split('/').includes('..')) return;
    this.#typed = { folder, paths: [] };
    const { paths } = await pathsIn(join(this.#folder, folder), this.#most);
    if (this.#typed.folder !== folder) return;
    this.#typed = { folder, paths: paths.map((path) => `${folder}${path}`) };
    this.#changed();
  }
}

/** The files that a folder offers, without folders. */
export async function offeredFiles(folder: string): Promise<readonly string[]> {
  return (await pathsIn(folder, mostFiles)).paths.filter((path) => !path.endsWith('/'));
}

/** @param onMore called after each file with the paths so far, which grow */
async function pathsIn(
  folder: string,
  most: number,
  onMore?: (soFar: readonly string[]) => void,
): Promise<{ readonly paths: readonly string[]; readonly isCut: boolean }> {
  const paths: string[] = [];
  const folders = new Set<string>();
  const until = performance.now() + longest;
  let count = 0;
  for await (const path of listFiles({ folder, globs: withoutInstalled, order: 'breadth' })) {
    if (count === most || performance.now() > until) return { paths, isCut: true };
    count++;
    for (const each of foldersOf(path)) {
      if (folders.has(each)) continue;
      folders.add(each);
      paths.push(each);
    }
    paths.push(path);
    onMore?.(paths);
  }
  return { paths, isCut: false };
}

/** The folders of a path, the outermost first. */
function foldersOf(path: string): readonly string[] {
  return [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index + 1));
}

/** The paths that contain a text; if these are few, also those that contain its characters in this order. */
function candidatesFor(sought: string, paths: readonly string[], few: number): readonly string[] {
  const found = first(paths, (path) => path.includes(sought));
  if (found.length >= few) return found;
  return [...new Set([...found, ...first(paths, (path) => hasInOrder(path, sought))])];
}

function first(paths: readonly string[], fits: (path: string) => boolean): string[] {
  const found: string[] = [];
  for (const path of paths) {
    if (fits(path.toLowerCase())) found.push(path);
    if (found.length === mostRanked) break;
  }
  return found;
}

function hasInOrder(path: string, characters: string): boolean {
  let at = 0;
  for (const character of characters) {
    at = path.indexOf(character, at) + 1;
    if (at === 0) return false;
  }
  return true;
}
