import { isAbsolute, join } from 'node:path';
import fuzzysort from 'fuzzysort';
import { listFiles, withoutInstalled } from '@turnwire/machine';

/** The maximum number of listed files. */
const mostFiles = 30_000;
/** The time limit of a listing, in milliseconds. The files found until then are offered. */
const longest = 5_000;
/** How long a list is reused, in milliseconds. */
const freshness = 10_000;
/** The time until the growing first list is shown, in milliseconds. Each later update takes twice as long as the time so far. */
const firstShown = 100;
/** The maximum number of ranked paths per search. Ranking is slow, and users do not read that many. */
const mostRanked = 1_000;

/**
 * The files of a folder that its project does not ignore, and their folders, as relative paths, nearest first. Folders end in a slash. No
 * program is started, because the folder is not trusted, and git runs programs from its configuration.
 */
export class FileList {
  readonly #folder: string;
  readonly #changed: () => void;
  readonly #most: number;
  #paths: readonly string[] = [];
  #isCut = false;
  #listedAt = -Infinity;
  /** The typed folder and its paths, which a truncated list may lack. */
  #typed: { readonly folder: string; readonly paths: readonly string[] } | undefined;

  /** @param changed called when there are more paths */
  constructor(folder: string, changed: () => void, most: number = mostFiles) {
    this.#folder = folder;
    this.#changed = changed;
    this.#most = most;
  }

  /** Whether the list is truncated. */
  get isCut(): boolean {
    return this.#isCut;
  }

  /** Lists the files unless the list is fresh. Resolves when the list is complete. */
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

  /** The best paths for a search. If the list is truncated, the folder at the start of the search is read as well. */
  find(search: string, most: number): readonly string[] {
    const folder = search.slice(0, search.lastIndexOf('/') + 1);
    if (this.#isCut && folder !== '') void this.#readTyped(folder);
    if (search === '') return this.#paths.slice(0, most);
    const typed = this.#typed?.folder === folder ? this.#typed.paths : [];
    const candidates = [typed, this.#paths].flatMap((paths) => candidatesFor(search.toLowerCase(), paths, most));
    return fuzzysort.go(search, [...new Set(candidates)], { limit: most, threshold: 0 }).map(({ target }) => target);
  }

  async #readTyped(folder: string): Promise<void> {
    if (this.#typed?.folder === folder || isAbsolute(folder) || folder.split('/').includes('..')) return;
    this.#typed = { folder, paths: [] };
    const { paths } = await pathsIn(join(this.#folder, folder), this.#most);
    if (this.#typed.folder !== folder) return;
    this.#typed = { folder, paths: paths.map((path) => `${folder}${path}`) };
    this.#changed();
  }
}

/** The files of a folder for a page, without folders. */
export async function offeredFiles(folder: string): Promise<readonly string[]> {
  return (await pathsIn(folder, mostFiles)).paths.filter((path) => !path.endsWith('/'));
}

/** @param onMore called after each file with the growing list of paths */
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
