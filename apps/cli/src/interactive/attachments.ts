import { existsSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, extname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** An image that goes with the next prompt. */
export interface Attachment {
  readonly path: string;
  readonly name: string;
}

const imageEndings = new Set(['.png', '.jpg', '.jpeg', '.gif', '.webp']);

/** The images that go with the next prompt. */
export class Attachments {
  #list: readonly Attachment[] = [];

  get list(): readonly Attachment[] {
    return this.#list;
  }

  add(path: string): void {
    if (!this.#list.some((each) => each.path === path)) this.#list = [...this.#list, { path, name: basename(path) }];
  }

  /** Clears them; returns what there was. */
  take(): readonly Attachment[] {
    const list = this.#list;
    this.#list = [];
    return list;
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
  return resolve(cwd, plain.replace(/^~(?=\/)/, homedir()));
}
