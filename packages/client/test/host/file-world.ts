import { mkdtemp, readdir, readFile, realpath, rm, lstat, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ProtocolError, type ReadTextFileRequest } from '@turnwire/protocol';
import type { HostContext } from '../../src/host/host.ts';
import { localFilesHeld, type LocalFilesOptions } from '../../src/node/files/local-files.ts';
import type { Holding } from '@turnwire/machine';

/** All ways to keep files open that work here; on Windows and macOS this is the only one. */
export { heldByPath } from '../../../machine/src/holding/held-by-path.ts';

/** The outcome of reading or writing. `…` stands for the temporary folder. */
export type Outcome = { readonly content: string } | { readonly code: number; readonly message: string } | object;

/** A temporary folder with the folder of a session, `in`, and a folder outside, `out`. */
export class FileWorld implements AsyncDisposable {
  readonly folder: string;
  readonly #files: ReturnType<typeof localFilesHeld>;
  readonly context: HostContext;

  private constructor(folder: string, options: LocalFilesOptions, holding: Holding | undefined) {
    this.folder = folder;
    this.context = { roots: [join(folder, 'in')], signal: new AbortController().signal };
    this.#files = localFilesHeld(options, holding);
  }

  static async make(options: LocalFilesOptions = {}, holding?: Holding): Promise<FileWorld> {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'turnwire-files-')));
    await Promise.all([mkdir(join(folder, 'in')), mkdir(join(folder, 'out'))]);
    return new FileWorld(folder, options, holding);
  }

  /** A path in the temporary folder, not normalized. */
  at(path: string): string {
    return `${this.folder}/${path}`;
  }

  read(path: string, range: Omit<ReadTextFileRequest, 'path' | 'sessionId'> = {}): Promise<Outcome> {
    return this.readRaw(this.at(path), range);
  }

  async readRaw(path: string, range: Omit<ReadTextFileRequest, 'path' | 'sessionId'> = {}): Promise<Outcome> {
    return this.#outcome(async () => this.#files.readTextFile({ sessionId: 's', path, ...range }, this.context));
  }

  write(path: string, content: string, context: Partial<HostContext> = {}): Promise<Outcome> {
    return this.writeRaw(this.at(path), content, context);
  }

  async writeRaw(path: string, content: string, context: Partial<HostContext> = {}): Promise<Outcome> {
    const request = { sessionId: 's', path, content };
    return this.#outcome(async () => this.#files.writeTextFile(request, { ...this.context, ...context }));
  }

  /** The whole content: the text of files by path, and the kind of other entries. */
  async everything(): Promise<Record<string, string>> {
    return Object.fromEntries(await entriesOf(this.folder, ''));
  }

  /** A text with `…` for the temporary folder. */
  short(text: string): string {
    return text.replaceAll(this.folder, '…');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }

  async #outcome(work: () => Promise<Outcome>): Promise<Outcome> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      return { code: error.code, message: this.short(error.message) };
    }
  }
}

// The recursive listing of Node follows links.
async function entriesOf(folder: string, prefix: string): Promise<[path: string, what: string][]> {
  const names = (await readdir(folder)).sort();
  const lists = names.map(async (each): Promise<[string, string][]> => {
    const what = await whatIs(join(folder, each));
    const below = what === '(folder)' ? await entriesOf(join(folder, each), `${prefix}${each}/`) : [];
    return [[`${prefix}${each}`, what], ...below];
  });
  return (await Promise.all(lists)).flat();
}

async function whatIs(path: string): Promise<string> {
  const entry = await lstat(path);
  if (entry.isFile()) return readFile(path, 'utf8');
  if (entry.isDirectory()) return '(folder)';
  return entry.isSymbolicLink() ? '(link)' : '(special)';
}

/** The refusal of a path that leads outside. */
export function outside(path: string): Outcome {
  return {
    code: -32602,
    message:
      `…/${path} is outside the folders of this session (…/in), or cannot be shown to be inside. ` +
      'Use a path inside them, or ask the user to add that folder to the session.',
  };
}
