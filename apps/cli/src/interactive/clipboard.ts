import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram, programContext } from '@turnwire/machine';
import { type Frame, frame } from '../terminal/frame.ts';

/** Programs that print the image in the clipboard. */
const readers: readonly (readonly [program: string, ...words: string[]])[] = [
  ['wl-paste', '--no-newline', '--type', 'image/png'],
  ['xclip', '-selection', 'clipboard', '-target', 'image/png', '-out'],
  ['pngpaste', '-'],
];

/** The maximum size of an image, in bytes. */
const mostBytes = 20 * 1024 * 1024;
/** How long a program may take to print the image, in milliseconds. */
const readTimeout = 3_000;

/** Why there is no image from the clipboard. */
export type NoImage = 'no-program' | 'no-image';

/** Images from the clipboard, stored in files until the chat ends. */
export class ClipboardImages implements AsyncDisposable {
  #folder: Promise<string> | undefined;
  #count = 0;

  /** Writes the image in the clipboard to a file. Resolves with its path, or with the reason why there is none. */
  async take(cwd: string): Promise<{ readonly path: string } | NoImage> {
    const context = programContext(cwd, process.env);
    const [reader] = readers.flatMap(([name, ...words]) => {
      const program = findProgram(name, context);
      return program === undefined ? [] : [[program, ...words] as const];
    });
    if (!reader) return 'no-program';
    const image = await printed(reader);
    if (image === undefined || !isPng(image)) return 'no-image';
    this.#folder ??= mkdtemp(join(tmpdir(), 'turnwire-images-'));
    const path = join(await this.#folder, `clipboard-${++this.#count}.png`);
    await writeFile(path, image, { mode: 0o600 });
    return { path };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#folder) await rm(await this.#folder, { recursive: true, force: true });
  }
}

/** The sequence that puts a text into the clipboard of the terminal's machine (OSC 52). */
export function copied(text: string): Frame {
  return frame`\u001b]52;c;${Buffer.from(text).toString('base64')}\u0007`;
}

function printed([program, ...words]: readonly [string, ...string[]]): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const options = { encoding: 'buffer', maxBuffer: mostBytes, timeout: readTimeout } as const;
    execFile(program, words, options, (error, stdout) => resolve(error ? undefined : stdout));
  });
}

function isPng(image: Buffer): boolean {
  return image.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex'));
}
