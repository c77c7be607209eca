import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { appendBounded } from '@turnwire/machine';

/** The most prompts that are offered. */
const mostPrompts = 1_000;
/** Each of the two files with prompts is at most this long, in bytes. */
const mostBytes = 256 * 1024;
/** A longer prompt is not stored, in UTF-16 units. */
const longestStored = 16_000;

/** Earlier prompts, each once: those of this chat, of the session that was loaded, and of earlier chats of the project. */
export class PromptHistory {
  readonly #file: string | undefined;
  #prompts: readonly string[] = [];
  #stored: Promise<void>;

  /** @param file where prompts are stored; absent: nowhere */
  constructor(file?: string) {
    this.#file = file;
    this.#stored = file === undefined ? Promise.resolve() : this.#load(file);
  }

  /** The oldest first. */
  get prompts(): readonly string[] {
    return this.#prompts;
  }

  /** Adds a prompt that was typed here, and stores it. */
  add(text: string): void {
    if (text.trim() === '') return;
    const isRepeated = this.#prompts.at(-1) === text;
    this.recall([text]);
    const file = this.#file;
    if (file === undefined || isRepeated || text.length > longestStored) return;
    // A history that cannot be written is one that ends with the chat.
    this.#stored = this.#stored.then(() => store(file, text)).catch(() => undefined);
  }

  /** Adds prompts of a session that was loaded, oldest first: they become the latest ones of this chat. */
  recall(texts: readonly string[]): void {
    const added = texts.filter((text) => text.trim() !== '');
    this.#prompts = latest([...this.#prompts, ...added]);
  }

  /** Resolves when everything was read and stored. */
  async flush(): Promise<void> {
    await this.#stored;
  }

  async #load(file: string): Promise<void> {
    const found = [...(await promptsIn(`${file}.1`)), ...(await promptsIn(file))];
    this.#prompts = latest([...found, ...this.#prompts]);
  }
}

/** Each text where it stands last, and only the newest ones. */
function latest(texts: readonly string[]): readonly string[] {
  return [...new Set(texts.toReversed())].slice(0, mostPrompts).toReversed();
}

async function store(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await appendBounded(file, `${JSON.stringify(text)}\n`, mostBytes);
}

/** The prompts of a file. A line that another version or a full disk left is skipped. */
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
