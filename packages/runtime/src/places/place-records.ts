import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  entryPath,
  FileLock,
  isEntryName,
  lockHolder,
  readOwnFile,
  replaceFile,
  takeLock,
  withLock,
} from '@turnwire/machine';
import { type Place, PlaceError, placeKinds } from './place.ts';

/** The records of all places, one file each. A record is written before its place is made, and removed after it. */
export class PlaceRecords {
  readonly folder: string;

  /** @param folder an absolute path; created when it is needed */
  constructor(folder: string) {
    this.folder = folder;
  }

  /** All places whose records can be read, oldest first. */
  async list(): Promise<readonly Place[]> {
    const places = (await this.#all()).flatMap((each) => (each instanceof PlaceError ? [] : [each]));
    return places.toSorted((one, other) => (one.createdAt < other.createdAt ? -1 : 1));
  }

  /** An error for each record that cannot be read. */
  async damaged(): Promise<readonly PlaceError[]> {
    return (await this.#all()).flatMap((each) => (each instanceof PlaceError ? [each] : []));
  }

  /** Finds a place by its name; undefined if it does not exist. Throws PlaceError if its record cannot be read. */
  find(name: string): Place | undefined {
    const found = this.#load(name);
    if (found instanceof PlaceError) throw found;
    return found;
  }

  /** Reads a place. Throws PlaceError if it does not exist. */
  read(name: string): Place {
    const place = this.find(name);
    if (place) return place;
    throw new PlaceError(`there is no place ${name}; turnwire places list names all`);
  }

  async write(place: Place): Promise<Place> {
    await replaceFile(this.#path(place.name, 'json'), `${JSON.stringify(place, undefined, 2)}\n`);
    return place;
  }

  async remove(name: string): Promise<void> {
    await rm(this.repositoryOf(name), { recursive: true, force: true });
    await rm(this.#path(name, 'json'), { force: true });
  }

  /** The repository with the states of a copy outside of a repository. */
  repositoryOf(name: string): string {
    return this.#path(name, 'git');
  }

  /** Runs work while no other process makes, changes or removes the place. */
  async locked<Value>(name: string, work: () => Promise<Value>): Promise<Value> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    return withLock(this.#path(name, 'lock'), work);
  }

  /** Whether a process makes, changes or removes the place now. */
  async isLocked(name: string): Promise<boolean> {
    return (await lockHolder(this.#path(name, 'lock'))) !== undefined;
  }

  /** Marks the place as used by this process, until the mark is released or the process ends. */
  async use(name: string): Promise<AsyncDisposable> {
    const mark = await takeLock(this.#path(name, `used-${randomUUID()}`));
    return mark instanceof FileLock ? mark : { [Symbol.asyncDispose]: () => Promise.resolve() };
  }

  /** Whether a process uses the place. Removes the marks of those that were killed. */
  async isUsed(name: string): Promise<boolean> {
    const marks = (await readdir(this.folder)).filter((file) => file.startsWith(`${name}.used-`));
    for (const mark of marks) {
      const path = join(this.folder, mark);
      if (await lockHolder(path)) return true;
      await rm(path, { force: true });
    }
    return false;
  }

  async #all(): Promise<readonly (Place | PlaceError)[]> {
    const files = await readdir(this.folder).catch(() => []);
    const names = files.flatMap((file) => (file.endsWith('.json') ? [file.slice(0, -'.json'.length)] : []));
    return names.flatMap((name) => this.#load(name) ?? []);
  }

  #load(name: string): Place | PlaceError | undefined {
    if (!isEntryName(name)) return undefined;
    const path = this.#path(name, 'json');
    const text = readOwnFile(path);
    return text === undefined ? undefined : (parsedPlace(text, name) ?? damagedRecord(name, path));
  }

  #path(name: string, ending: string): string {
    return join(this.folder, `${entryPath('', name)}.${ending}`);
  }
}

/** Undefined if the text is not the record of the place. */
function parsedPlace(text: string, name: string): Place | undefined {
  try {
    const place = JSON.parse(text) as Place | null;
    const texts = [place?.origin, place?.folder, place?.cwd, place?.createdAt, place?.state];
    const isPlace = place?.name === name && placeKinds.includes(place.kind) && texts.every(isText);
    return isPlace ? place : undefined;
  } catch {
    return undefined;
  }
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function damagedRecord(name: string, path: string): PlaceError {
  return new PlaceError(
    `the record of the place ${name} is damaged: ${path}. The files of the place are kept: save the ones you need, then delete the record`,
  );
}
