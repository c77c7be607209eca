import { lstat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { type Holding, replaceHeldFile, undefinedIfMissing } from '@turnwire/machine';
import { ToolError } from '../tool-error.ts';
import { fileFailure, notRegular } from './file-failure.ts';
import { holdFolder, openRegular } from './held.ts';
import { decodeText, encodeText, utf8 } from './text-encoding.ts';
import type { DecodedText, TextEncoding } from './text-encoding.ts';
import type { WorkspacePath } from './workspace.ts';

/** The longest text file that is read whole, in bytes: 16 MiB. */
export const wholeFileLimit: number = 16 * 1024 * 1024;

const headLength = 4100;

/**
 * Reads a whole text file, without its byte order mark, with its line endings. @returns undefined for a missing file
 * @throws ToolError if it is not a regular file, cannot be read, is larger than 16 MiB, or is not certainly text
 */
export async function readTextFile(path: WorkspacePath, holding?: Holding): Promise<DecodedText | undefined> {
  const bytes = await reading(path, holding, readWhole(path.shown));
  if (bytes === undefined) return undefined;
  const decoded = await decodeText(bytes);
  if (decoded === undefined) throw await noText(path.shown, bytes, bytes.length);
  return decoded;
}

/** The beginning of a file, and its length in bytes. Undefined for a missing file. */
export async function readHead(
  path: WorkspacePath,
): Promise<{ readonly size: number; readonly head: Uint8Array } | undefined> {
  return reading(path, undefined, async (file) => {
    const { size } = await file.stat();
    return { size, head: await headOf(file) };
  });
}

/** The first bytes of a file, independent of the read position. */
export async function headOf(file: FileHandle): Promise<Uint8Array> {
  const { bytesRead, buffer } = await file.read(Buffer.alloc(headLength), 0, headLength, 0);
  return buffer.subarray(0, bytesRead);
}

/** Opens a regular file for some work. Errors of the system become ToolErrors that name it. */
export async function reading<Result>(
  path: WorkspacePath,
  holding: Holding | undefined,
  work: (file: FileHandle) => Promise<Result>,
): Promise<Result | undefined> {
  try {
    await using file = await openRegular(path, holding);
    return file && (await work(file));
  } catch (error) {
    throw fileFailure(error, path.shown, 'read');
  }
}

/** A change of a text file. */
export interface TextReplacement {
  /** The expected content at the last moment; undefined for a file that must not exist. */
  readonly expected: DecodedText | undefined;
  /** Without byte order mark. */
  readonly text: string;
  readonly holding?: Holding;
}

/**
 * Replaces a text file atomically, in its encoding; a new one is UTF-8. Missing folders are created.
 * @throws ToolError if the file is not as expected, its encoding lacks a character of the text, or the system refuses: then nothing is
 * written
 */
export async function replaceTextFile(
  path: WorkspacePath,
  { expected, text, holding }: TextReplacement,
): Promise<void> {
  const bytes = await encodedLike(path, expected, text);
  const confirm = async (): Promise<void> => {
    if ((await readTextFile(path, holding))?.text !== expected?.text) throw changedMeanwhile(path);
  };
  try {
    await using folder = await holdFolder(dirname(path.real), holding);
    const entry = folder.entry(basename(path.real));
    const old = await lstat(entry, { bigint: true }).catch(undefinedIfMissing);
    if (old !== undefined && !old.isFile()) throw notRegular(path.shown, old);
    await replaceHeldFile({ folder, entry }, { content: bytes, old, confirm });
  } catch (error) {
    throw fileFailure(error, path.shown, 'written');
  }
}

/**
 * The bytes of a text in the encoding of the existing file; UTF-8 without one.
 * @throws ToolError if the encoding lacks a character of the text
 */
export async function encodedLike(
  { shown }: WorkspacePath,
  expected: DecodedText | undefined,
  text: string,
): Promise<Uint8Array> {
  const { encoding = utf8 } = expected ?? {};
  return (await encodeText(text, encoding)) ?? refuseText(shown, encoding);
}

/** Another program wrote to the file between the check and the write. */
export function changedMeanwhile({ shown }: WorkspacePath): ToolError {
  return new ToolError(`${shown} changed in the meantime; nothing was written. Read it again.`);
}

function readWhole(shown: string): (file: FileHandle) => Promise<Uint8Array> {
  return async (file) => {
    const { size } = await file.stat();
    if (size > wholeFileLimit)
      throw new ToolError(
        `${shown} is ${size} bytes long; files beyond ${wholeFileLimit} can be read in ranges of lines, but not changed. Use a command.`,
      );
    return file.readFile();
  };
}

/** The error for a binary file, with its type. */
export async function noText(shown: string, head: Uint8Array, size: number): Promise<ToolError> {
  const { fileTypeFromBuffer } = await import('file-type');
  const type = await fileTypeFromBuffer(head.subarray(0, headLength));
  const what = type?.mime ?? 'binary, or text in an encoding that cannot be recognised for certain';
  return new ToolError(`${shown} is not a text file (${what}; ${size} bytes). Use a command for such files.`);
}

function refuseText(shown: string, { name }: TextEncoding): never {
  throw new ToolError(
    name === 'utf-8'
      ? `The new text contains NUL or half a character, which a text file cannot; nothing was written to ${shown}.`
      : `The encoding of ${shown} is ${name}, which lacks some characters of the new text; nothing was written. Use others, or convert the file first.`,
  );
}
