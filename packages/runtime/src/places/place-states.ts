import { type ChangedFile, changedFiles, FolderStates, Git, GitError } from '@turnwire/machine/folder-record';
import { type Place, PlaceError } from './place.ts';
import { ownObjects } from './place-driver.ts';
import { UserGit } from './user-git.ts';
import { workingTree } from './working-tree.ts';

/** The result of a merge of two states. */
export interface MergedTree {
  readonly tree: string;
  /** Files in which the tree has conflict markers. */
  readonly conflicts: readonly string[];
}

type Call = (words: readonly string[], input?: string | Buffer) => Promise<Buffer>;

const author = ['-c', 'user.name=turnwire', '-c', 'user.email=turnwire@localhost', '-c', 'commit.gpgSign=false'];
const asPatch = ['--no-renames', '--no-ext-diff', '--no-textconv', '--no-color', '--full-index'];

/** The files of a place and of its origin, as trees that can be compared and merged. */
export class PlaceStates {
  readonly #place: Place;
  readonly #from: string;
  readonly #call: Call;
  readonly #treeOf: (folder: string) => Promise<string>;

  /** @param repository the repository of a place whose origin is in none */
  constructor(place: Place, repository: string) {
    if (place.from === undefined)
      throw new PlaceError(`the place ${place.name} was not finished; turnwire places prune removes it`);
    this.#place = place;
    this.#from = place.from;
    if (place.branch === undefined) {
      const git = new Git(repository, place.origin);
      this.#call = (words, input) => git.bytes(words, input === undefined ? {} : { input });
      this.#treeOf = async (folder) => {
        const states = new FolderStates(new Git(repository, folder));
        await states.prepare();
        return states.now();
      };
    } else {
      const git = new UserGit(place.origin);
      const objects = [ownObjects(place) ?? []].flat();
      this.#call = (words, input) => git.bytes(words, { objects, ...(input !== undefined && { input }) });
      this.#treeOf = (folder) => workingTree(new UserGit(folder));
    }
  }

  /** The tree with the files of the place as they are. */
  now(): Promise<string> {
    return this.#treeOf(this.#place.folder);
  }

  /** The files that have changed since the place was made. */
  async changes(): Promise<readonly ChangedFile[]> {
    const now = await this.now();
    if (now === this.#from) return [];
    const [raw, patch] = await Promise.all([
      this.#call(['diff', '--raw', '-z', ...asPatch, this.#from, now]),
      this.#patch(this.#from, now),
    ]);
    return changedFiles(raw.toString(), patch.toString('latin1'));
  }

  /**
   * Makes the changes of the place in the files of the origin, as uncommitted ones. Files that changed in both are merged.
   * @param leavesConflicts whether files with conflict markers are written. Otherwise nothing is written if there are conflicts
   * @returns the conflicts, and the tree of the place
   */
  async apply(leavesConflicts: boolean): Promise<MergedTree> {
    const [theirs, ours] = [await this.now(), await this.#treeOf(this.#place.origin)];
    const { tree, conflicts } = await this.#merged(this.#from, { ours, theirs });
    if (tree === ours || (conflicts.length > 0 && !leavesConflicts)) return { tree: theirs, conflicts };
    await this.#call(['apply', '--whitespace=nowarn', '-'], await this.#patch(ours, tree));
    return { tree: theirs, conflicts };
  }

  /** Whether the files of the origin have everything that a tree changes in the commit of the place, or in the files that it was copied from. */
  async isInOrigin(theirs: string): Promise<boolean> {
    const { base } = this.#place;
    const before =
      base === undefined ? this.#from : (await this.#call(['rev-parse', `${base}^{tree}`])).toString().trimEnd();
    if (theirs === before) return true;
    const ours = await this.#treeOf(this.#place.origin);
    return (await this.#merged(before, { ours, theirs })).tree === ours;
  }

  #patch(before: string, after: string): Promise<Buffer> {
    return this.#call(['diff', '--binary', ...asPatch, before, after]);
  }

  /** Makes commits without a branch for the merge, because git merges commits and not trees. */
  async #merged(
    before: string,
    { ours, theirs }: { readonly ours: string; readonly theirs: string },
  ): Promise<MergedTree> {
    const base = await this.#commit(before);
    const sides = [await this.#commit(ours, '-p', base), await this.#commit(theirs, '-p', base)];
    const words = ['merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', ...sides];
    const { printed, isClean } = await this.#call(words).then(
      (output) => ({ printed: output, isClean: true }),
      (error: unknown) => {
        if (error instanceof GitError && error.exitCode === 1) return { printed: error.output, isClean: false };
        throw error;
      },
    );
    const [tree = '', ...names] = printed.toString().split('\0');
    return { tree, conflicts: isClean ? [] : names.slice(0, -1) };
  }

  async #commit(tree: string, ...words: readonly string[]): Promise<string> {
    return (await this.#call([...author, 'commit-tree', tree, ...words, '-m', 'state'])).toString().trimEnd();
  }
}
