import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { withLock } from '../file-lock.ts';
import { replaceFile } from '../replace-file.ts';
import { undefinedIfMissing } from '../system-reason.ts';

/** A comment of the user on lines of a file, for the agent. */
export interface ReviewComment {
  /** Relative to the recorded folder, with slashes. */
  readonly path: string;
  /** The first and the last line, counted from 1. Undefined: the comment is about the whole file. */
  readonly lines?: readonly [first: number, last: number] | undefined;
  /** The lines as they were when the comment was made. */
  readonly code?: string | undefined;
  readonly text: string;
}

/** The comments of a review that were not sent yet, in a file. */
export class ReviewComments {
  readonly #folder: string;
  readonly #path: string;

  /** @param folder the absolute folder of the record */
  constructor(folder: string) {
    this.#folder = folder;
    this.#path = join(folder, 'comments.json');
  }

  /** The comments that wait to be sent, oldest first. */
  async list(): Promise<readonly ReviewComment[]> {
    const text = await readFile(this.#path, 'utf8').catch(undefinedIfMissing);
    return text === undefined ? [] : (JSON.parse(text) as readonly ReviewComment[]);
  }

  /** Adds a comment behind the others. */
  async add(comment: ReviewComment): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await withLock(`${this.#path}.lock`, async () => {
      await replaceFile(this.#path, `${JSON.stringify([...(await this.list()), comment])}\n`);
    });
  }

  /**
   * Passes comments to `send`, and removes them once they were sent. A second sender waits, so that nothing is sent twice. Undefined without comments.
   * @param isSent which comments to send
   */
  async send<Sent>(
    isSent: (comment: ReviewComment) => boolean,
    send: (prompt: string) => Promise<Sent>,
  ): Promise<Sent | undefined> {
    if ((await this.list()).length === 0) return undefined;
    return withLock(`${this.#path}.sending.lock`, async () => {
      const comments = (await this.list()).filter(isSent);
      if (comments.length === 0) return undefined;
      const sent = await send(commentsPrompt(comments));
      await this.remove(comments);
      return sent;
    });
  }

  /** Removes listed comments. Those that were added since stay. */
  async remove(listed: readonly ReviewComment[]): Promise<void> {
    if (listed.length === 0) return;
    await withLock(`${this.#path}.lock`, async () => {
      const rest = [...(await this.list())];
      for (const each of listed) {
        const at = rest.findIndex((other) => isDeepStrictEqual(other, each));
        if (at !== -1) rest.splice(at, 1);
      }
      if (rest.length > 0) await replaceFile(this.#path, `${JSON.stringify(rest)}\n`);
      else await rm(this.#path, { force: true });
    });
  }
}

/** A comment with the lines that it is about. Throws `RangeError` for lines that the text does not have. */
export function commentOn(text: string, comment: Omit<ReviewComment, 'code'>): ReviewComment {
  const { path, lines } = comment;
  if (!lines) return comment;
  const all = text.split(/\r?\n/);
  const [first, last] = lines;
  if (last > all.length) throw new RangeError(`${path} has ${all.length} lines`);
  return { ...comment, code: all.slice(first - 1, last).join('\n') };
}

/** Comments as a prompt for the agent, each with its location and its lines. */
export function commentsPrompt(comments: readonly ReviewComment[]): string {
  const parts = comments.map(({ path, lines, code, text }) => {
    const [first = 0, last = 0] = lines ?? [];
    const where = lines === undefined ? '' : first === last ? `:${first}` : `:${first}-${last}`;
    const quoted = code === undefined ? '' : `${code.replaceAll(/^/gm, '> ')}\n`;
    return `${path}${where}\n${quoted}${text}`;
  });
  return ['I have reviewed your changes. Please address these comments:', ...parts].join('\n\n');
}
