import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { appendBounded } from '@turnwire/machine';

/** The maximum number of prompts in the history. */
const mostPrompts = 1_000;
/** The maximum size of each of the two files with prompts, in bytes. */
const mostBytes = 256 * 1024;
/** The maximum length of a stored prompt, in UTF-16 units. */
const longestStored = 16_000;

/** Earlier prompts without duplicates: of this chat, of the loaded session, and of earlier chats in the project. */
export class PromptHistory {
  readonly #file: string | undefined;
  #prompts: readonly string[] = [];
  #stored: Promise<void>;

  /** @param file where prompts are stored; absent: nowhere */
  constructor(file?: string) {
    this.#file = file;
    this.#stored = file === undefined ? Promise.resolve() : this.#load(file);
  }

  /** The prompts, oldest first. */
  get prompts(): readonly string[] {
    return this.#prompts;
  }

  /** Adds a typed prompt and stores it. */
  add(text: string): void {
    if (text.trim() === '') return;
    const isRepeated = this.#prompts.at(-1) === text;
    this.recall([text]);
    const file = this.#file;
    if (file === undefined || isRepeated || text.length > longestStored) return;
    // A history that cannot be written lasts only until the end of the chat.
    this.#stored = this.#stored.then(() => store(file, text)).catch(() => undefined);
  }

  /** Adds the prompts of a loaded session, oldest first. They become the latest ones of this chat. */
  recall(texts: readonly string[]): void {
    const added = texts.filter((text) => text.trim() !== '');
    this.#prompts = latest([...this.#prompts, ...added]);
  }

  /** Resolves when all prompts have been read and stored. */
  async flush(): Promise<void> {
    await this.#stored;
  }

  async #load(file: string): Promise<void> {
    const found = [...(await promptsIn(`${file}.1`)), ...(await promptsIn(file))];
    this.#prompts = latest([...found, ...this.#prompts]);
  }
}

/** The newest texts, each at its last position. */
function latest(texts: readonly string[]): readonly string[] {
  return [...new Set(texts.toReversed())].slice(0, mostPrompts).toReversed();
}

async function store(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await appendBounded(file, `${JSON.stringify(text)}\n`, mostBytes);
}

/** The prompts in a file. Invalid lines, of another version or after a full disk, are skipped. */
async function promptsIn(file: string): Promise<readonly string[]> {
  const content = await readFile(file, 'utf8').catch(() => '');
  return content.split('\n').flatMap((line) => {
    try {
      const value: unknown = JSON.parse(line);
      return typeof value === 'string' ? [value] : [];
    } catch {
      return [];
    }
  });
}
