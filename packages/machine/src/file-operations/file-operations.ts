import { lutimes, mkdir, open, readdir, readlink, rename, rmdir, symlink, unlink } from 'node:fs/promises';
import { basename, dirname, isAbsolute } from 'node:path';
import { holdingHere } from '../holding/holding-here.ts';
import { isInside } from '../is-inside.ts';
import { copyHeldFile } from '../replace-file.ts';
import { codeOf, isMissing, systemReason } from '../system-reason.ts';
import type { FileOperation, OperationContext } from './file-operation.ts';
import { HeldEntry } from './held-entry.ts';

/** The reason why an operation failed, for the user: `docs/notes: it leads to /home/me/.bashrc, …`. */
export class OperationError extends Error {
  override readonly name = 'OperationError';
}

/** The five commands, one operand at a time, as GNU does them. */
export class FileOperations {
  readonly #context: OperationContext;

  constructor(context: OperationContext) {
    this.#context = context;
  }

  /** The steps of a command. A failing step does not prevent the others. */
  of({ name, letters, operands }: FileOperation): readonly (() => Promise<void>)[] {
    const has = (letter: string): boolean => letters.includes(letter);
    if (name === 'mkdir') return operands.map((path) => () => this.#withPath(path, () => this.#mkdir(path, has)));
    if (name === 'touch') return operands.map((path) => () => this.#withPath(path, () => this.#touch(path, has)));
    if (name === 'rm') return operands.map((path) => () => this.#withPath(path, () => this.#rm(path, has)));
    const target = operands.at(-1) ?? '';
    const sources = operands.slice(0, -1);
    return sources.map(
      (source) => () =>
        this.#withPath(source, () => this.#transfer({ name, source, target, isOnly: sources.length === 1, has })),
    );
  }

  async #mkdir(path: string, has: Has): Promise<void> {
    if (has('p') && (await this.#isFolder(path))) return;
    if (has('p') && dirname(path) !== path) await this.#mkdir(dirname(path), has);
    await using entry = await HeldEntry.at(this.#absolute(path));
    this.#requireChange(entry.real);
    await mkdir(entry.path);
    if (has('v')) this.#context.print(`mkdir: created directory '${path}'\n`);
  }

  async #touch(path: string, has: Has): Promise<void> {
    await using entry = await HeldEntry.behind(this.#absolute(path));
    this.#requireChange(entry.real);
    const stats = await entry.stats();
    const now = new Date();
    if (stats)
      await lutimes(entry.path, has('m') && !has('a') ? stats.atime : now, has('a') && !has('m') ? stats.mtime : now);
    else if (!has('c')) await (await open(entry.path, 'wx')).close();
  }

  async #rm(path: string, has: Has): Promise<void> {
    if (isDots(path)) throw new OperationError(`${path}: this folder is not removed`);
    await using entry = await HeldEntry.at(this.#absolute(path)).catch(unlessMissing(has('f')));
    const stats = await entry?.stats();
    if (!entry || (!stats && has('f'))) return;
    this.#requireChange(entry.real);
    if (!stats?.isDirectory()) await unlink(entry.path);
    else if (has('r') || has('R')) await this.#removeTree(entry);
    else if (has('d')) await rmdir(entry.path);
    else throw new OperationError(`${path}: it is a folder, and -r was not given`);
    if (has('v')) this.#context.print(`removed '${path}'\n`);
  }

  async #removeTree(entry: HeldEntry): Promise<void> {
    this.#context.signal.throwIfAborted();
    if (!(await entry.stats())?.isDirectory()) return unlink(entry.path);
    await using folder = await entry.asFolder();
    for (const name of await readdir(folder.entry('.'))) await this.#removeTree(new HeldEntry(folder, name));
    await rmdir(entry.path);
  }

  async #transfer(transfer: Transfer): Promise<void> {
    const { name, source, target, isOnly, has } = transfer;
    const isTree = name === 'mv' || has('r') || has('R');
    const isFolder = await this.#isFolder(target);
    if (!isOnly && !isFolder) throw new OperationError(`${target}: it is not a folder`);
    const to = isFolder && !isDots(source) ? `${target}/${basename(source)}` : target;
    await using from = await (isTree ? HeldEntry.at(this.#absolute(source)) : HeldEntry.behind(this.#absolute(source)));
    await using destination = await (name === 'mv' ? HeldEntry.at(this.#absolute(to)) : this.#destination(to, isTree));
    await this.#put(from, destination, transfer);
    if (has('v')) this.#context.print(`${name === 'mv' ? 'renamed ' : ''}'${source}' -> '${to}'\n`);
  }

  async #put(from: HeldEntry, to: HeldEntry, { name, source, has }: Transfer): Promise<void> {
    if (!(await from.stats())) throw new OperationError(`${source}: there is no such file or folder`);
    if (has('n') && (await to.stats())) return;
    if (isInside(from.real, to.real)) throw new OperationError(`${source}: it cannot be put into itself`);
    await (name === 'mv' ? this.#move(from, to) : this.#copy(from, to, has));
  }

  /** Copying a file writes through a link at the target; a folder or a link is copied to the name itself. */
  async #destination(path: string, isTree: boolean): Promise<HeldEntry> {
    return isTree && !(await this.#isFolder(path))
      ? HeldEntry.at(this.#absolute(path))
      : HeldEntry.behind(this.#absolute(path));
  }

  async #move(from: HeldEntry, to: HeldEntry): Promise<void> {
    this.#requireChange(from.real);
    this.#requireChange(to.real);
    if ((await from.stats())?.isDirectory()) {
      await using folder = await from.asFolder();
      // The contents of the folder may make programs run at the new location.
      for (const each of await readdir(folder.entry('.'), { recursive: true }))
        this.#requireChange(`${to.real}/${each}`);
    }
    await rename(from.path, to.path);
  }

  async #copy(from: HeldEntry, to: HeldEntry, has: Has): Promise<void> {
    this.#context.signal.throwIfAborted();
    this.#requireRead(from.real);
    const old = await to.stats();
    if (!old?.isDirectory()) this.#requireChange(to.real);
    const stats = await from.stats();
    if (stats?.isDirectory()) await this.#copyFolder(from, to, has);
    else if (old?.isDirectory()) throw new OperationError(`${to.name}: it is a folder`);
    else await this.#copyEntry(from, to);
    if (stats && has('p')) await lutimes(to.path, stats.atime, stats.mtime);
  }

  async #copyEntry(from: HeldEntry, to: HeldEntry): Promise<void> {
    const stats = await from.stats();
    if (stats?.isSymbolicLink()) return this.#copyLink(from, to);
    if (!stats?.isFile()) throw new OperationError(`${from.name}: only files, folders and links are copied`);
    return this.#copyFile(from, to);
  }

  async #copyFile(from: HeldEntry, to: HeldEntry): Promise<void> {
    await using held = await (await holdingHere()).file(from.path);
    if (held.real !== from.real) throw new OperationError(`${from.name}: it was replaced while it was copied`);
    await copyHeldFile(held, { folder: to.folder, entry: to.path }, await to.stats());
  }

  async #copyLink(from: HeldEntry, to: HeldEntry): Promise<void> {
    const target = await readlink(from.path);
    if (await to.stats()) await unlink(to.path);
    await symlink(target, to.path);
  }

  async #copyFolder(from: HeldEntry, to: HeldEntry, has: Has): Promise<void> {
    if (!has('r') && !has('R')) throw new OperationError(`${from.name}: it is a folder, and -r was not given`);
    if (!(await to.stats())) await mkdir(to.path);
    await using source = await from.asFolder();
    await using target = await to.asFolder();
    for (const name of await readdir(source.entry('.')))
      await this.#copy(new HeldEntry(source, name), new HeldEntry(target, name), has);
  }

  async #isFolder(path: string): Promise<boolean> {
    try {
      await using folder = await (await holdingHere()).folder(this.#absolute(path));
      return folder.real !== '';
    } catch (error) {
      if (isMissing(error)) return false;
      throw error;
    }
  }

  /** Not normalised: the target of `..` depends on links. */
  #absolute(path: string): string {
    return isAbsolute(path) ? path : `${this.#context.cwd}/${path}`;
  }

  #requireRead(real: string): void {
    if (!this.#context.mayRead(real))
      throw new OperationError(`${real} may not be read without a question; nothing was read`);
  }

  #requireChange(real: string): void {
    if (!this.#context.mayChange(real))
      throw new OperationError(`${real} may not be changed without a question; it was not`);
  }

  async #withPath(path: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const code = codeOf(error);
      if (code === undefined || this.#context.signal.aborted) throw error;
      throw new OperationError(`${path}: ${reasons[code] ?? systemReason(code)}`);
    }
  }
}

type Has = (letter: string) => boolean;

interface Transfer {
  readonly name: FileOperation['name'];
  readonly source: string;
  readonly target: string;
  /** This is the only source, so the target may be a new name. */
  readonly isOnly: boolean;
  readonly has: Has;
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EEXIST: 'it exists already',
  ENOTEMPTY: 'the folder is not empty',
  EXDEV: 'it is on another disk; copy it, then remove it',
};

function isDots(path: string): boolean {
  return /^\.{1,2}$/.test(basename(path));
}

function unlessMissing(isIgnored: boolean): (error: unknown) => undefined {
  return (error) => {
    if (!isIgnored || !isMissing(error)) throw error;
  };
}
