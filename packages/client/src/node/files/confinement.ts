import { mkdir, readlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import {
  codeOf,
  type HeldFile,
  type HeldFolder,
  type Holding,
  holdingHere,
  isMissing,
  systemError,
  linkTargetFrom,
  whereItLeads,
} from '@turnwire/machine';
import type { HostContext } from '../../host/host.ts';
import { ConfinedLocation } from './confined-location.ts';
import { type FileAction, fileFailure, fileNotFound, outsideRoots, ownFile, rootReplaced } from './file-refusal.ts';
import { Roots } from './roots.ts';

const mostLinks = 40;

/**
 * Confines file access to some folders, despite any paths, links and concurrent changes by other processes: opens a file or folder first
 * and checks it then. Paths are absolute and without `..`. Every rejection is a ProtocolError.
 */
export class Confinement {
  readonly #roots: Roots;
  readonly #holding: Holding;

  private constructor(roots: Roots, holding: Holding) {
    this.#roots = roots;
    this.#holding = holding;
  }

  /** @param holding how to keep files and folders open; default: the best way on this machine */
  static async of(
    { roots, realRoots }: Pick<HostContext, 'roots' | 'realRoots'>,
    holding?: Holding,
  ): Promise<Confinement> {
    return new Confinement(await Roots.of(roots, realRoots), holding ?? (await holdingHere()));
  }

  /** Rejects if a path leads outside now. The target may change before it is used. */
  async admit(path: string): Promise<void> {
    const outside = await this.#outside(path);
    if (outside) throw outside;
  }

  /** Keeps an existing entry of any kind open, without reading it. Symbolic links are followed. */
  async existing(path: string): Promise<HeldFile> {
    try {
      return await this.#inside(await this.#holding.file(path), path);
    } catch (error) {
      throw await this.#refusal(error, path, 'read');
    }
  }

  /**
   * Finds the location to write a file to. Symbolic links are followed, also dangling ones; missing folders are created, once they are
   * known to be inside.
   */
  async location(path: string): Promise<ConfinedLocation> {
    try {
      if (this.#roots.include(path)) throw systemError('EISDIR');
      // Checked first, so that no folder is created on the way.
      const real = await whereItLeads(path).catch(() => undefined);
      if (real !== undefined && this.#roots.isOwn(real)) throw ownFile(path);
      return await this.#location(path, mostLinks);
    } catch (error) {
      throw await this.#refusal(error, path, 'written');
    }
  }

  async #location(path: string, links: number): Promise<ConfinedLocation> {
    const folder = await this.#folder(dirname(path), links);
    const location = new ConfinedLocation(folder, basename(path));
    let target: string;
    try {
      if (this.#roots.isOwn(join(folder.real, basename(path)))) throw ownFile(path);
      if ((await location.stats())?.isSymbolicLink() !== true) return location;
      target = linkTargetFrom(folder.real, await readlink(location.entry));
    } catch (error) {
      await folder[Symbol.asyncDispose]();
      throw error;
    }
    await folder[Symbol.asyncDispose]();
    if (links === 0) throw systemError('ELOOP');
    return this.#location(target, links - 1);
  }

  async #folder(path: string, links: number): Promise<HeldFolder> {
    try {
      return await this.#inside(await this.#holding.folder(path), path);
    } catch (error) {
      if (codeOf(error) !== 'ENOENT' || dirname(path) === path) throw error;
    }
    await using location = await this.#location(path, links);
    await mkdir(location.entry).catch((error: unknown) => {
      if (codeOf(error) !== 'EEXIST') throw error;
    });
    // Awaited here: while the location is released, a rejection would be unhandled.
    return await this.#inside(await this.#holding.folder(location.entry), path);
  }

  async #inside<Held extends HeldFile | HeldFolder>(held: Held, path: string): Promise<Held> {
    if (this.#roots.contain(held.real)) return held;
    await held[Symbol.asyncDispose]();
    throw outsideRoots(path, this.#roots.named);
  }

  // Paths outside are refused with the same message whether they exist or not.
  async #refusal(error: unknown, path: string, action: FileAction): Promise<Error> {
    const outside = await this.#outside(path);
    if (outside) return outside;
    return isMissing(error) && action === 'read' ? fileNotFound(path) : fileFailure(error, path, action);
  }

  /** Why a path is not inside; undefined if it is. */
  async #outside(path: string): Promise<Error | undefined> {
    const real = await whereItLeads(path).catch(() => undefined);
    if (real !== undefined && this.#roots.isOwn(real)) return ownFile(path);
    if (real === undefined ? this.#roots.seemToContain(path) : this.#roots.contain(real)) return undefined;
    const replaced = await this.#roots.replaced(path);
    return replaced ? rootReplaced(path, replaced) : outsideRoots(path, this.#roots.named);
  }
}
