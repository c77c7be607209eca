import { readFile, writeFile } from 'node:fs/promises';
import { resourceNotFound } from '@turnwire/protocol';
import type { ReadTextFileRequest, ReadTextFileResponse, WriteTextFileRequest } from '@turnwire/protocol';
import type { FixtureClient } from './tool-fixture.ts';

/** A client that is an editor: it has unsaved texts, and may change texts on saving. */
export class Editor implements FixtureClient {
  readonly capabilities: NonNullable<FixtureClient['capabilities']>;
  /** What it shows, by path. Whatever is not here it reads from the disk. */
  readonly buffers = new Map<string, string>();
  /** Its requests, as `read` or `write` with the name of the file. */
  readonly asked: string[] = [];
  /** What becomes of a text before it is saved. */
  format: (text: string) => string = (text) => text;
  /** Whether it saves written texts at once. */
  saves = true;
  readonly handlers: NonNullable<FixtureClient['handlers']> = {
    'fs/read_text_file': (request) => this.#read(request),
    'fs/write_text_file': (request) => this.#write(request),
  };

  constructor(offers: { readonly reads: boolean; readonly writes: boolean }) {
    this.capabilities = { fs: { readTextFile: offers.reads, writeTextFile: offers.writes } };
  }

  async #read({ path }: ReadTextFileRequest): Promise<ReadTextFileResponse> {
    this.#note('read', path);
    const content = this.buffers.get(path) ?? (await readFile(path, 'utf8').catch(() => undefined));
    if (content === undefined) throw resourceNotFound(`There is no ${path}`, { uri: path });
    return { content };
  }

  async #write({ path, content }: WriteTextFileRequest): Promise<object> {
    this.#note('write', path);
    const text = this.format(content);
    this.buffers.set(path, text);
    if (this.saves) await writeFile(path, text);
    return {};
  }

  #note(what: string, path: string): void {
    this.asked.push(`${what} ${path.slice(path.lastIndexOf('/') + 1)}`);
  }
}
