import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { isEntryName, isInside, projectRoot, realPath } from '@turnwire/machine';
import type { ChangedFile } from '@turnwire/machine/folder-record';
import { type Brought, mergeIntoOrigin } from './merge-into-origin.ts';
import { missingWork, openWork } from './open-work.ts';
import { placeAt } from './origin-of.ts';
import { lostWork, type OpenWork, type Place, PlaceError, type PlaceKind } from './place.ts';
import { placeDrivers } from './place-driver.ts';
import { PlaceRecords } from './place-records.ts';
import { startOf } from './place-start.ts';
import { PlaceStates } from './place-states.ts';
import { UserGit } from './user-git.ts';

/** A place to make. */
export interface WantedPlace {
  readonly kind: PlaceKind;
  /** The folder to make it from: an absolute path. */
  readonly cwd: string;
  /** Default: the name of the folder with four random digits. */
  readonly name?: string | undefined;
  /** Whether the uncommitted changes of the origin come along. Default: false. A copy always has them. */
  readonly withChanges?: boolean | undefined;
  /** A command that prepares the place before its first session. The caller runs it. */
  readonly setUp?: string | undefined;
  /** Marks the place as used from the start, as {@link Places.use} does, and receives the mark. */
  readonly onUsed?: ((mark: AsyncDisposable) => void) | undefined;
}

/** A place, and the work in it that would be lost with it. */
export interface ListedPlace extends Place {
  /** Why the place cannot be used: it was not finished, or its folder is missing. Undefined for others. */
  readonly problem?: 'unfinished' | 'missing' | undefined;
  /** Undefined if it cannot be found out. */
  readonly work?: OpenWork | undefined;
}

/** A place after {@link Places.prune}. */
export interface PrunedPlace extends ListedPlace {
  readonly isRemoved: boolean;
  /** Why it could not be removed. Undefined for others. */
  readonly failure?: string | undefined;
}

/**
 * Folders in which sessions work apart from the user's files and from each other. None of them is a boundary: the agent has the rights of the
 * user in all of them.
 */
export class Places {
  readonly #records: PlaceRecords;
  readonly #folder: string;

  /**
   * @param records the folder of their records, which sessions cannot access
   * @param folder the folder that contains the places
   */
  constructor(records: string, folder: string) {
    this.#records = new PlaceRecords(records);
    this.#folder = realPath(folder) ?? folder;
  }

  /**
   * Makes a place. Removes before it those of the same origin that a killed process has not finished. Rejects with PlaceError, or with GitError if
   * git fails; then nothing is left of it.
   */
  async make({ kind, cwd, name: asked, withChanges = false, setUp, onUsed }: WantedPlace): Promise<Place> {
    const [origin, here] = [real(projectRoot(cwd)), real(cwd)];
    if (isInside(origin, this.#folder) || isInside(this.#folder, origin))
      throw new PlaceError(`a place cannot be made from ${origin}; work in the folder of a project`);
    // A place that cannot be removed stays unfinished; prune gives the reason.
    for (const { name } of await this.#unfinished(origin)) await this.#discard(name).catch(() => false);
    const name =
      asked ??
      `${basename(origin)
        .replaceAll(/[^\w-]/g, '-')
        .slice(0, 40)}-${randomBytes(2).toString('hex')}`;
    if (!isEntryName(name))
      throw new PlaceError(`a place cannot be named ${JSON.stringify(name)}: use letters, digits, - and _`);
    const folder = join(this.#folder, name);
    return this.#records.locked(name, async () => {
      if (this.#records.find(name) || existsSync(folder))
        throw new PlaceError(
          `there is a place ${name} already; turnwire places open ${name} works in it, or choose another name`,
        );
      const at = await startOf(origin, kind, name);
      const createdAt = new Date().toISOString();
      const making: Place = {
        ...{ name, kind, origin, folder, cwd: join(folder, relative(origin, here)), ...at, createdAt, state: 'making' },
        ...(setUp !== undefined && { setUp }),
      };
      await this.#records.write(making);
      try {
        await mkdir(this.#folder, { recursive: true, mode: 0o700 });
        const driver = placeDrivers[kind];
        const from = await driver.make(making, { withChanges, repository: this.#records.repositoryOf(name) });
        // git creates only folders with committed files.
        await mkdir(making.cwd, { recursive: true });
        onUsed?.(await this.#records.use(name));
        return await this.#records.write({ ...making, from, state: 'ready' });
      } catch (error) {
        await this.#removeNow(making);
        throw error;
      }
    });
  }

  /** All places, oldest first, with the work in each. */
  async list(): Promise<readonly ListedPlace[]> {
    return Promise.all((await this.#records.list()).map((place) => this.#listed(place)));
  }

  /** An error for each place whose record cannot be read: other methods leave it out. */
  damaged(): Promise<readonly PlaceError[]> {
    return this.#records.damaged();
  }

  /** The places that were made from the project of a folder, oldest first. */
  async from(cwd: string): Promise<readonly Place[]> {
    const origin = real(projectRoot(cwd));
    return (await this.#records.list()).filter((place) => place.origin === origin && place.state === 'ready');
  }

  /** The place in which a folder is; undefined if it is in none. Starts no program. */
  at(cwd: string): Place | undefined {
    return placeAt(this.#records, this.#folder, cwd);
  }

  /** Finds a place that can be used. Throws PlaceError if it does not exist, or was not finished. */
  find(name: string): Place {
    const place = this.#records.read(name);
    if (place.state !== 'ready')
      throw new PlaceError(`the place ${name} was not finished; turnwire places prune removes it`);
    if (!existsSync(place.folder))
      throw new PlaceError(
        `the folder of the place ${name} is missing: ${place.folder}; turnwire places remove ${name} removes the place, and only with --force commits that are not merged`,
      );
    return place;
  }

  /** Marks a place as used by this process, so that it is not removed. The mark ends when it is disposed, or with the process. */
  use(name: string): Promise<AsyncDisposable> {
    return this.#records.locked(name, () => {
      this.find(name);
      return this.#records.use(name);
    });
  }

  /** Records that the set-up command has succeeded. */
  async prepared(name: string): Promise<void> {
    await this.#records.locked(name, async () => {
      const { setUp: _done, ...place } = this.#records.read(name);
      await this.#records.write(place);
    });
  }

  /** The files that have changed in a place since it was made, committed or not. */
  changes(name: string): Promise<readonly ChangedFile[]> {
    return this.#states(this.find(name)).changes();
  }

  /** Makes the changes of a place in the files of its origin, as uncommitted ones. If there are conflicts, nothing changes. */
  apply(name: string): Promise<Brought> {
    return this.#apply(name, false);
  }

  /**
   * Merges the branch of a place into the branch that is checked out in its origin. If there are conflicts, the files of the origin have conflict
   * markers: the user resolves and commits them, or aborts the merge. Outside of a repository the changes are merged into the files.
   * @param message commits the uncommitted changes of the place first. Without one, such a place is refused
   */
  async merge(name: string, message?: string): Promise<Brought> {
    const place = this.find(name);
    const { branch } = place;
    if (branch === undefined) return this.#apply(name, true);
    return this.#records.locked(name, () => mergeIntoOrigin(place, message));
  }

  /**
   * Removes a place with its branch.
   * @param force also with uncommitted changes and unmerged commits; without it, such a place is refused
   * @returns the commit that its branch had
   */
  async remove(name: string, force: boolean): Promise<string | undefined> {
    return this.#records.locked(name, async () => {
      const place = this.#records.read(name);
      if (!force && (await this.#records.isUsed(name)))
        throw new PlaceError(`a session works in the place ${name} now; close it first, or give --force`);
      const { work, problem } = await this.#listed(place);
      if (!force && problem !== 'unfinished') refuseToLose(place, work);
      const git = new UserGit(place.origin);
      const { branch } = place;
      const tip =
        branch === undefined || place.kind !== 'worktree'
          ? undefined
          : await git.line(['rev-parse', '--verify', `refs/heads/${branch}`]).catch(() => undefined);
      await this.#removeNow(place);
      return tip;
    });
  }

  /**
   * Removes the places that were not finished, those whose folder is missing, and those with nothing that would be lost.
   * @returns all places, whether each was removed, and why one could not be removed
   */
  async prune({ isDry = false }: { readonly isDry?: boolean } = {}): Promise<readonly PrunedPlace[]> {
    const results: PrunedPlace[] = [];
    for (const place of await this.list()) {
      const { name } = place;
      try {
        const isRemoved = hasNothing(place) && (await (isDry ? this.#isFree(name) : this.#discard(name)));
        results.push({ ...place, isRemoved });
      } catch (error) {
        results.push({ ...place, isRemoved: false, failure: (error as Error).message });
      }
    }
    return results;
  }

  async #apply(name: string, leavesConflicts: boolean): Promise<Brought> {
    return this.#records.locked(name, async () => {
      const place = this.find(name);
      const { tree, conflicts } = await this.#states(place).apply(leavesConflicts);
      if (conflicts.length === 0) await this.#records.write({ ...place, applied: tree });
      return { conflicts };
    });
  }

  async #listed(place: Place): Promise<ListedPlace> {
    if (place.state !== 'ready') return { ...place, problem: 'unfinished' };
    const isMissing = !existsSync(place.folder);
    const work = await (isMissing ? missingWork(place) : openWork(place, this.#records.repositoryOf(place.name))).catch(
      () => undefined,
    );
    return { ...place, ...(isMissing && { problem: 'missing' as const }), ...(work && { work }) };
  }

  /** The places of an origin that no process makes or removes any more. */
  async #unfinished(origin: string): Promise<readonly Place[]> {
    const places = (await this.#records.list()).filter((place) => place.origin === origin && place.state !== 'ready');
    const locked = await Promise.all(places.map(({ name }) => this.#records.isLocked(name)));
    return places.filter((_, at) => !locked[at]);
  }

  async #isFree(name: string): Promise<boolean> {
    return !(await this.#records.isLocked(name)) && !(await this.#records.isUsed(name));
  }

  /** Removes a place unless a process makes or uses it, or it has open work now. Resolves with whether it was removed. */
  async #discard(name: string): Promise<boolean> {
    if (await this.#records.isLocked(name)) return false;
    return this.#records.locked(name, async () => {
      const place = this.#records.find(name);
      if (!place || (await this.#records.isUsed(name)) || !hasNothing(await this.#listed(place))) return false;
      await this.#removeNow(place);
      return true;
    });
  }

  async #removeNow(place: Place): Promise<void> {
    await this.#records.write({ ...place, state: 'removing' });
    await placeDrivers[place.kind].remove(place);
    await this.#records.remove(place.name);
  }

  #states(place: Place): PlaceStates {
    return new PlaceStates(place, this.#records.repositoryOf(place.name));
  }
}

/** Whether nothing would be lost with a place. The branch of one whose folder is missing may have commits. */
function hasNothing({ problem, work }: ListedPlace): boolean {
  return problem === 'unfinished' || (work !== undefined && work.uncommitted + work.unmerged === 0);
}

function refuseToLose({ name, folder, branch = '', origin }: Place, work: OpenWork | undefined): void {
  const what = work === undefined ? ['work that cannot be counted'] : lostWork(work);
  if (what.length === 0) return;
  if (!existsSync(folder))
    throw new PlaceError(
      `the place ${name} has ${what.join(' and ')}. Merge its branch in ${origin} with git merge ${branch}, or lose the work with --force`,
    );
  throw new PlaceError(
    `the place ${name} has ${what.join(' and ')}. Bring the changes to the origin with turnwire places merge ${name} or apply ${name}, or lose them with --force`,
  );
}

function real(path: string): string {
  return realPath(path) ?? path;
}
