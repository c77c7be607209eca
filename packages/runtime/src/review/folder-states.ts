import { existsSync } from 'node:fs';
import { appendFile, lstat, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { commonGitFolder, isInside } from '@turnwire/machine';
import { type Git, GitError } from './git.ts';

/** Larger files are not recorded, in bytes. */
const mostOfFile = 64 * 1024 * 1024;
/** Outside of a repository, the most bytes of new files that are recorded: git copies them. */
const mostOfNew = 1024 * 1024 * 1024;
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

/** The files of a folder as trees of git. One process at a time may use it: the caller has the lock of the record. */
export class FolderStates {
  readonly #git: Git;
  #isInRepository = false;
  /** The last tree without nested repositories. */
  #withoutNested: string | undefined;

  constructor(git: Git) {
    this.#git = git;
  }

  /** Creates the repository, or updates what it takes from the user's repository. */
  async prepare(): Promise<void> {
    const { repository, folder } = this.#git;
    for (const name of ['objects/info', 'refs', 'info'])
      await mkdir(this.#path(name), { recursive: true, mode: 0o700 });
    const theirs = commonGitFolder(folder);
    this.#isInRepository = existsSync(join(theirs, 'objects'));
    const excluded = await readFile(join(theirs, 'info', 'exclude'), 'utf8').catch(() => '');
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

  /** The id of the tree with the files as they are. */
  async now(): Promise<string> {
    // A process that was killed left it: this one has the lock of the record.
    await rm(this.#path('index.lock'), { force: true });
    await this.#excludeLarge();
    await this.#addFiles();
    const tree = await this.#git.line(['write-tree']);
    if (tree === this.#withoutNested) return tree;
    const isClean = await this.#leaveOutNested(await this.#git.text(['ls-tree', '-r', '-d', '-z', tree]));
    return (this.#withoutNested = isClean ? tree : await this.#git.line(['write-tree']));
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
        await this.#git.text(['add', '--all', '--ignore-errors', '--', ':/']);
        return;
      } catch (error) {
        const why = error instanceof GitError ? error.message : '';
        const [, empty] = /error: '(.+)\/' does not have a commit checked out/.exec(why) ?? [];
        // A file that cannot be read, or has gone, is not recorded.
        if (empty === undefined && /unable to index file|Permission denied|adding files failed/.test(why)) return;
        if (empty === undefined || tries > 20) throw error;
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
