import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join, relative } from 'node:path';
import { type KeptRow, mergedRows, newPage, pageWith, type Reviews } from '@turnwire/conformance';
import { exitCodes } from '../../exit-codes.ts';
import { CommandError } from '../../failure.ts';
import { readJsonFile } from './read-json-file.ts';

/**
 * The results of a matrix that are kept: a Markdown page, a JSON file next to it, and a folder with traces. The file `reviews.json` in that
 * folder is written by people who read the traces.
 */
export class MatrixRecord {
  readonly #page: string;
  /** The path of both without the extension. */
  readonly #stem: string;

  /** @param page the path of the page, which ends in `.md` */
  constructor(page: string) {
    this.#page = page;
    this.#stem = join(dirname(page), basename(page, extname(page)));
  }

  /** The folder for the traces of a row. */
  tracesOf(row: string): string {
    return join(this.#stem, row);
  }

  /** The address of a trace from the page. */
  addressOf(path: string): string {
    return relative(dirname(this.#page), path).replaceAll('\\', '/');
  }

  /** Verifies that the page can be written and has a section for the results. Throws CommandError, exit code 2, otherwise. */
  async prepare(): Promise<void> {
    if (extname(this.#page) !== '.md')
      throw new CommandError(`--page writes Markdown: give ${this.#page} a name that ends in .md`, exitCodes.usage);
    this.#with(await this.#text(), await this.#known(), await this.#reviews());
  }

  /** Adds rows to the kept ones and writes both files. Without rows, it writes the page again, with new reviews. */
  async add(rows: readonly KeptRow[]): Promise<void> {
    const all = mergedRows(await this.#known(), rows);
    await writeFile(this.#json, `${JSON.stringify(all, undefined, 2)}\n`);
    await writeFile(this.#page, this.#with(await this.#text(), all, await this.#reviews()));
  }

  get #json(): string {
    return `${this.#stem}.json`;
  }

  async #text(): Promise<string> {
    return existsSync(this.#page) ? readFile(this.#page, 'utf8') : newPage;
  }

  async #known(): Promise<readonly KeptRow[]> {
    if (!existsSync(this.#json)) return [];
    const kept = await readJsonFile(this.#json);
    return kept.items('the kept results').map(({ value }) => value as KeptRow);
  }

  async #reviews(): Promise<Reviews> {
    return ((await readIfPresent(join(this.#stem, 'reviews.json'))) ?? {}) as Reviews;
  }

  #with(page: string, rows: readonly KeptRow[], reviews: Reviews): string {
    try {
      return pageWith(page, rows, reviews);
    } catch (error) {
      throw new CommandError(`${this.#page}: ${(error as Error).message}`, exitCodes.usage);
    }
  }
}

async function readIfPresent(path: string): Promise<unknown> {
  return existsSync(path) ? (await readJsonFile(path)).value : undefined;
}
