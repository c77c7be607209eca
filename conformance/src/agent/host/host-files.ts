import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, relative } from 'node:path';
import type { RawMessage } from '../../wire/messages.ts';
import { WireError } from '../../wire/wire.ts';

/** The text files of the simulated client, including unsaved editor content. */
export class HostFiles {
  /** Unsaved content of open files by path. Scenarios set it; writing the file removes it. */
  readonly unsaved: Map<string, string> = new Map();
  readonly #root: string;

  /** @param root the folder of all readable and writable files */
  constructor(root: string) {
    this.#root = root;
  }

  async read({ path, line, limit }: RawMessage): Promise<RawMessage> {
    const place = this.#place(path);
    return { content: linesOf(this.unsaved.get(place) ?? (await onDisk(place)), line, limit) };
  }

  async write({ path, content }: RawMessage): Promise<RawMessage> {
    const place = this.#place(path);
    if (typeof content !== 'string') throw new WireError(-32602, 'content is not a string');
    await mkdir(dirname(place), { recursive: true });
    await writeFile(place, content);
    this.unsaved.delete(place);
    return {};
  }

  #place(path: unknown): string {
    if (typeof path !== 'string' || !isAbsolute(path)) throw new WireError(-32602, 'path is not absolute');
    const fromRoot = relative(this.#root, path);
    if (fromRoot.startsWith('..') || isAbsolute(fromRoot)) throw new WireError(-32602, `${path} is not offered here`);
    return path;
  }
}

async function onDisk(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === 'ENOENT'
      ? new WireError(-32002, `the file ${path} does not exist`, { uri: path })
      : new WireError(-32603, `${path} cannot be read: ${String(code)}`);
  }
}

/** Lines from a number on, counted from 1, with their line breaks. */
function linesOf(text: string, line: unknown, limit: unknown): string {
  if (typeof line !== 'number' && typeof limit !== 'number') return text;
  const first = typeof line === 'number' ? Math.max(line, 1) - 1 : 0;
  const lines = text.split(/(?<=\n)/);
  return lines.slice(first, typeof limit === 'number' ? first + limit : undefined).join('');
}
