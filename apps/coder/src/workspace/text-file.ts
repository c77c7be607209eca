import { randomBytes } from 'node:crypto';
import { access, constants, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ToolError } from '../tools/tool-error.ts';
import type { WorkspacePath } from './workspace.ts';

const sizeLimit = 16 * 1024 * 1024;

/**
 * Reads a text file whole, byte order mark and line endings included.
 * @returns undefined when there is no such file
 * @throws ToolError for what is no regular file, is larger than 16 MiB, or is not UTF-8 text
 */
export async function readTextFile({ real, shown }: WorkspacePath): Promise<string | undefined> {
  const found = await stat(real).catch(ignoreMissing);
  if (found === undefined) return undefined;
  if (found.isDirectory()) throw new ToolError(`${shown} is a folder, not a file.`);
  if (!found.isFile()) throw new ToolError(`${shown} is not a regular file.`);
  if (found.size > sizeLimit)
    throw new ToolError(
      `${shown} is ${found.size} bytes long; the limit is ${sizeLimit}. Search it, or run a command that shows a part.`,
    );
  return decode(await readFile(real), shown);
}

/**
 * Replaces a text file in one step, so that no reader ever sees half of it, and keeps its mode. Missing folders are made.
 * @param expected what the file must hold now; undefined for a file that must not exist
 * @throws ToolError when the file is no longer as expected: nothing is written then
 */
export async function replaceTextFile(path: WorkspacePath, expected: string | undefined, text: string): Promise<void> {
  const mode = (await stat(path.real).catch(ignoreMissing))?.mode;
  if (mode !== undefined) await refuseReadOnly(path);
  await mkdir(dirname(path.real), { recursive: true });
  const draft = join(dirname(path.real), `.${basename(path.real)}.${randomBytes(6).toString('hex')}.tmp`);
  try {
    await writeDraft(draft, text, mode);
    if ((await readTextFile(path)) !== expected)
      throw new ToolError(`${path.shown} changed in the meantime; nothing was written. Read it again.`);
    await rename(draft, path.real);
  } finally {
    await rm(draft, { force: true });
  }
}

// Renaming over a file needs no right to write to it, yet its owner asked for nobody to.
async function refuseReadOnly({ real, shown }: WorkspacePath): Promise<void> {
  await access(real, constants.W_OK).catch(() => {
    throw new ToolError(`${shown} is read-only; nothing was written.`);
  });
}

async function writeDraft(draft: string, text: string, mode: number | undefined): Promise<void> {
  await using file = await open(draft, 'wx', 0o666);
  await file.writeFile(text);
  await file.sync();
  if (mode !== undefined) await file.chmod(mode & 0o7777);
}

function decode(bytes: Uint8Array, shown: string): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    if (!text.includes('\0')) return text;
  } catch {
    // Said below: what is not UTF-8 is binary to every tool here.
  }
  throw new ToolError(`${shown} is binary or not UTF-8 text.`);
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
}
