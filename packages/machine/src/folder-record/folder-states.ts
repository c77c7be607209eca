import { existsSync, lstatSync } from 'node:fs';
import { appendFile, lstat, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { commonGitFolder } from '../git-folder.ts';
import { isInside } from '../is-inside.ts';
import { readProjectFile } from '../read-file.ts';
import { type Git, GitError } from './git.ts';

/** Larger files are not recorded, in bytes. */
const mostOfFile = 64 * 1024 * 1024;
/** Outside of a repository, the most bytes of new files that are recorded: git copies them. */
const mostOfNew = 1024 * 1024 * 1024;
/** The most files that are recorded together by their names although they are ignored. */
const mostByName = 10_000;
const settings = `[core]
	repositoryformatversion = 0
	bare = false
	hooksPath = /dev/null
	autocrlf = false
	untrackedCache = true
	preloadIndex = true
	fsync = none
[index]
	version = 4
[gc]
	autoDetach = false
[advice]
	addEmbeddedRepo = false
`;
/** No filters, and every byte as it is. */
const attributes = '* -text -filter -ident -working-tree-encoding\n';
/** The folders that are left out outside of a repository. */
const generated = 'node_modules/\n.venv/\n';

/** The patterns of the user's repository that are in no file of the folder. An agent may have put anything in its place. */
function readExcluded(repository: string): string {
  try {
    return readProjectFile(join(repository, 'info', 'exclude'), { project: repository }) ?? '';
  } catch {
    return '';
  }
}

/** The files of a folder as trees of git. One process at a time may use it: the caller has the lock of the record. */
export class FolderStates {
  readonly #git: Git;
  readonly #isWhole: boolean;
  #isInRepository = false;
  /** The nested repositories that are excluded. */
  readonly #nested = new Set<string>();
  /** The last tree without nested repositories. */
  #withoutNested: string | undefined;

  /** @param options `isWhole`: records all files, not only those that are included by name. Default: true */
  constructor(git: Git, { isWhole = true }: { readonly isWhole?: boolean } = {}) {
    this.#git = git;
    this.#isWhole = isWhole;
  }

  /** Creates the repository, or updates what it takes from the user's repository. */
  async prepare(): Promise<void> {
    const { repository, folder } = this.#git;
    for (const name of ['objects/info', 'refs', 'info'])
      await mkdir(this.#path(name), { recursive: true, mode: 0o700 });
    const theirs = commonGitFolder(folder);
    this.#isInRepository = existsSync(join(theirs, 'objects'));
    const excluded = readExcluded(theirs);
    this.#nested.clear();
    await writeFile(this.#path('config'), settings);
    await writeFile(this.#path('info/attributes'), attributes);
    await writeFile(this.#path('info/exclude'), this.#isInRepository ? `${excluded}\n` : generated);
    // The state folder may be in the project.
    if (isInside(folder, repository)) await this.#exclude(relative(folder, dirname(repository)));
    // Reads the objects of the user's repository, so that the record of a large one does not copy it.
    await writeFile(this.#path('objects/info/alternates'), this.#isInRepository ? `${join(theirs, 'objects')}\n` : '');
    await writeFile(this.#path('HEAD'), 'ref: refs/heads/none\n');
    await this.#leaveOutNested(await this.#git.text(['ls-files', '--stage', '-z']));
  }

  /**
   * The id of the tree with the files as they are.
   * @param included paths that are recorded although they are ignored
   */
  async now(included: readonly string[] = []): Promise<string> {
    // A process that was killed left it: this one has the lock of the record.
    await rm(this.#path('index.lock'), { force: true });
    // A nested repository that has gone may have made way for files.
    const { folder } = this.#git;
    if ([...this.#nested].some((path) => !existsSync(join(folder, path, '.git')))) await this.prepare();
    if (this.#isWhole) await this.#excludeLarge();
    if (this.#isWhole) await this.#addFiles();
    await this.#addByName(included, this.#path('index'));
    const tree = await this.#git.line(['write-tree']);
    if (tree === this.#withoutNested) return tree;
    const isClean = await this.#leaveOutNested(await this.#git.text(['ls-tree', '-r', '-d', '-z', tree]));
    return (this.#withoutNested = isClean ? tree : await this.#git.line(['write-tree']));
  }

  /** Whether a path is not recorded, because it is ignored. */
  async leavesOut(path: string): Promise<boolean> {
    try {
      await this.#git.text(['check-ignore', '--quiet', '--', path]);
      return true;
    } catch (error) {
      if (error instanceof GitError && error.exitCode === 1) return !this.#isWhole;
      throw error;
    }
  }

  /** The files at a path that is left out, relative to the folder; or why they cannot be recorded. The path itself if it does not exist. */
  async filesAt(path: string): Promise<readonly string[] | string> {
    const { folder } = this.#git;
    const listed = (await this.#git.text(['ls-files', '--others', '-z', '--', path])).split('\0').slice(0, -1);
    if (listed.some((each) => each.endsWith('/'))) return 'it contains a repository of its own';
    const sizes = await Promise.all(listed.map(async (each) => (await lstat(join(folder, each))).size));
    const total = sizes.reduce((sum, size) => sum + size, 0);
    if (total > mostOfFile || listed.length > mostByName)
      return `it is ignored by git, and only up to ${mostOfFile / 1024 / 1024} MiB and ${mostByName} files of that are recorded`;
    return listed.length > 0 ? listed : [relative(folder, path).split(sep).join('/')];
  }

  /** The id of a tree with files as they are, besides those that it has. */
  async withFiles(tree: string, files: readonly string[]): Promise<string> {
    const index = this.#path('including');
    try {
      await this.#git.text(['read-tree', tree], { index });
      await this.#addByName(files, index);
      return await this.#git.line(['write-tree'], { index });
    } finally {
      await rm(index, { force: true });
    }
  }

  async #addByName(files: readonly string[], index: string): Promise<void> {
    if (files.length === 0) return;
    const { folder } = this.#git;
    const exist = files.map((each) => {
      const found = lstatSync(join(folder, each), { throwIfNoEntry: false });
      return found?.isFile() === true || found?.isSymbolicLink() === true;
    });
    const list = (isThere: boolean): string =>
      files.flatMap((each, at) => (exist[at] === isThere ? [`${each}\0`] : [])).join('');
    const [there, gone] = [list(true), list(false)];
    const add = ['add', '--force', '--ignore-errors', '--pathspec-from-file=-', '--pathspec-file-nul'];
    if (there !== '') await this.#git.text(add, { index, input: there });
    if (gone !== '') await this.#git.text(['update-index', '--force-remove', '-z', '--stdin'], { index, input: gone });
  }

  /** Excludes new files that are too large. Rejects if all of them together are, and the user's repository does not have them either. */
  async #excludeLarge(): Promise<void> {
    const listed = await this.#git.text(['ls-files', '--others', '--exclude-standard', '-z']);
    let total = 0;
    for (const path of listed.split('\0').slice(0, -1)) {
      const { size } = await lstat(join(this.#git.folder, path)).catch(() => ({ size: 0 }));
      if (size > mostOfFile) await this.#exclude(path);
      else total += size;
    }
    if (total <= mostOfNew || this.#isInRepository) return;
    const mebibytes = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MiB`;
    throw new GitError(
      `the files of ${this.#git.folder} have ${mebibytes(total)}, and outside of a repository up to ${mebibytes(mostOfNew)} are recorded`,
    );
  }

  async #addFiles(): Promise<void> {
    for (let tries = 0; ; tries++) {
      try {
        await this.#git.text(['add', '--all', '--ignore-errors']);
        return;
      } catch (error) {
        const why = error instanceof GitError ? error.message : '';
        // git stops at a file that another program removes while it looks.
        if (tries < 20 && why.includes('unable to stat')) continue;
        const [, empty] = /error: '(.+)\/' does not have a commit checked out/.exec(why) ?? [];
        // A file that cannot be read, or has gone, is not recorded.
        if (empty === undefined && /unable to index file|Permission denied|adding files failed/.test(why)) return;
        if (empty === undefined || tries > 20) throw error;
        this.#nested.add(empty);
        await this.#exclude(empty);
      }
    }
  }

  /**
   * Removes nested repositories from the index, and excludes them. git looks for changes in those of the index, with their own settings, which
   * may name programs to run.
   * @param entries of a tree or an index, as git lists them with NUL after each
   * @returns whether there was none
   */
  async #leaveOutNested(entries: string): Promise<boolean> {
    const nested = entries
      .split('\0')
      .flatMap((entry) => (entry.startsWith('160000 ') ? [entry.slice(entry.indexOf('\t') + 1)] : []));
    for (const path of nested) {
      await this.#git.text(['update-index', '--force-remove', '--', path]);
      this.#nested.add(path);
      await this.#exclude(path);
    }
    return nested.length === 0;
  }

  async #exclude(path: string): Promise<void> {
    await appendFile(this.#path('info/exclude'), `/${path.replaceAll(/[\\*?[\]]/g, '\\$&')}\n`);
  }

  #path(name: string): string {
    return join(this.#git.repository, name);
  }
}
