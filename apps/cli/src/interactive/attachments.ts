import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ClipboardImages, type NoImage } from './clipboard.ts';
import { homeFolder } from '@turnwire/machine';

/** An image for the next prompt. */
export interface Attachment {
  readonly path: string;
  readonly name: string;
}

/** A text of the chat itself for the next prompt, such as the output of a command. */
export interface AttachedText {
  /** A description that follows the word "with". */
  readonly name: string;
  readonly text: string;
}

const imageEndings = new Set(['.png', '.jpg', '.jpeg', '.gif', '.webp']);

/** The attachments of the next prompt. */
export class Attachments implements AsyncDisposable {
  readonly #clipboard = new ClipboardImages();
  #list: readonly Attachment[] = [];
  #texts: readonly AttachedText[] = [];

  /** The images. */
  get list(): readonly Attachment[] {
    return this.#list;
  }

  get texts(): readonly AttachedText[] {
    return this.#texts;
  }

  add(...paths: readonly string[]): void {
    const added = paths.filter((path) => !this.#list.some((each) => each.path === path));
    this.#list = [...this.#list, ...added.map((path) => ({ path, name: basename(path) }))];
  }

  addText(name: string, text: string): void {
    this.#texts = [...this.#texts, { name, text }];
  }

  /** Adds the image in the clipboard. Resolves with the reason if there is none. */
  async addFromClipboard(cwd: string): Promise<NoImage | undefined> {
    const image = await this.#clipboard.take(cwd);
    if (typeof image === 'string') return image;
    this.add(image.path);
    return undefined;
  }

  /** Clears and returns the attachments. */
  take(): { readonly images: readonly Attachment[]; readonly texts: readonly AttachedText[] } {
    const taken = { images: this.#list, texts: this.#texts };
    [this.#list, this.#texts] = [[], []];
    return taken;
  }

  /** Removes the images that came from the clipboard. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#clipboard[Symbol.asyncDispose]();
  }
}

/** The image files that a pasted or dropped text names, as file managers and shells write paths. Empty if the text contains anything else. */
export function imagesNamedBy(text: string, cwd: string): readonly string[] {
  const line = text.trim();
  if (line === '' || line.length > longestPaste) return [];
  const whole = line.includes('\n') ? undefined : imageAt(pathNamedBy(line, cwd));
  if (whole !== undefined) return [whole];
  const names = line.match(separateName) ?? [];
  const paths = names.map((name) => pathNamedBy(name, cwd));
  // No folder is read for a text with a word that cannot be an image.
  if (names.length < 2 || !paths.every(hasImageEnding)) return [];
  const images = paths.flatMap((path) => imageAt(path) ?? []);
  return images.length === paths.length ? images : [];
}

/** The maximum length of a text that is parsed as paths, in characters. */
const longestPaste = 20_000;
/** A name in quotes, or one with backslashes before its spaces. */
const separateName = /'[^'\n]*'(?=\s|$)|"[^"\n]*"(?=\s|$)|(?:\\.|[^\s\\])+/g;

/** The absolute path that a text names. The file may be missing. */
export function pathNamedBy(name: string, cwd: string): string {
  if (name.startsWith('file://')) {
    try {
      return fileURLToPath(name);
    } catch {
      return resolve(cwd, name);
    }
  }
  const plain = /^(['"])(.*)\1$/.exec(name)?.[2] ?? name.replaceAll(/\\(.)/g, '$1');
  return resolve(cwd, plain.replace(/^~(?=\/)/, homeFolder()));
}

function imageAt(path: string): string | undefined {
  const found = hasImageEnding(path) ? asStored(path) : undefined;
  return found !== undefined && statSync(found, { throwIfNoEntry: false })?.isFile() ? found : undefined;
}

function hasImageEnding(path: string): boolean {
  return imageEndings.has(extname(path).toLowerCase());
}

/**
 * The path as stored on disk. Terminals and clipboards change the spelling of names: composed and decomposed letters, and the narrow space
 * that macOS writes before AM and PM. Undefined if no file or several files match.
 */
function asStored(path: string): string | undefined {
  if (existsSync(path)) return path;
  const folder = dirname(path) === path ? undefined : asStored(dirname(path));
  if (folder === undefined) return undefined;
  const wanted = folded(basename(path));
  const [found, ...others] = namesIn(folder).filter((name) => folded(name) === wanted);
  return found === undefined || others.length > 0 ? undefined : join(folder, found);
}

function folded(name: string): string {
  return name.normalize('NFKC').replaceAll(/\s+/g, ' ');
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
