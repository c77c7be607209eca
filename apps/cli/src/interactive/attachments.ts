import { existsSync, statSync } from 'node:fs';
import { basename, extname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ClipboardImages, type NoImage } from './clipboard.ts';
import { homeFolder } from '@turnwire/machine';

/** An image that goes with the next prompt. */
export interface Attachment {
  readonly path: string;
  readonly name: string;
}

/** A text of the chat itself that goes with the next prompt, such as the output of a command. */
export interface AttachedText {
  /** What it is, as the end of "with". */
  readonly name: string;
  readonly text: string;
}

const imageEndings = new Set(['.png', '.jpg', '.jpeg', '.gif', '.webp']);

/** What goes with the next prompt. */
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

  add(path: string): void {
    if (!this.#list.some((each) => each.path === path)) this.#list = [...this.#list, { path, name: basename(path) }];
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

  /** Clears them; returns what there was. */
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

/** The image a pasted or dropped text names: a path as a file manager or a shell writes it. Undefined for any other text. */
export function imageNamedBy(text: string, cwd: string): string | undefined {
  const name = text.trim();
  if (name === '' || name.length > 1_000 || name.includes('\n')) return undefined;
  const path = pathNamedBy(name, cwd);
  const isImage = path !== undefined && imageEndings.has(extname(path).toLowerCase());
  return isImage && existsSync(path) && statSync(path).isFile() ? path : undefined;
}

function pathNamedBy(name: string, cwd: string): string | undefined {
  if (name.startsWith('file://')) {
    try {
      return fileURLToPath(name);
    } catch {
      return undefined;
    }
  }
  const plain = /^(['"])(.*)\1$/.exec(name)?.[2] ?? name.replaceAll(/\\(.)/g, '$1');
  return resolve(cwd, plain.replace(/^~(?=\/)/, homeFolder()));
}
