import { isUtf8 } from 'node:buffer';
import { once } from 'node:events';
import { fstatSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { warn } from '../failure.ts';
import type { Draft } from '../driving/prompt-content.ts';

/** The sources of a prompt. */
export interface PromptSource {
  readonly words: readonly string[];
  /** A path, or `-` for stdin. */
  readonly file: string | undefined;
}

/** Milliseconds to wait for piped input. Programs that start this one often leave stdin open and write nothing. */
const stdinTimeout = 3_000;

/**
 * Reads the prompt: the file, then the words; without both, stdin. Without a file, piped input follows the words. A file that is not text, such as
 * an image, becomes an attachment. Rejects with advice if the prompt is empty.
 */
export async function readPrompt({ words, file }: PromptSource): Promise<Draft> {
  // A single dash means stdin, as in other programs.
  const typed = words.length === 1 && words[0] === '-' ? '' : words.join(' ').trim();
  const source = typed === '' ? (file ?? '-') : file;
  if (source === undefined) {
    const bytes = await readPiped();
    if (!isText(bytes)) throw notText();
    const piped = bytes.toString().trim();
    return { text: typed, attachments: [], hasMentions: true, ...(piped !== '' && { piped }) };
  }
  const read = await readSource(source);
  if (isText(read)) return textDraft(read.toString().trim(), typed);
  if (source === '-') throw notText();
  return { text: typed, attachments: [resolve(source)], hasMentions: true };
}

/**
 * Text from a file or stdin must never be a command to the agent: another user may have written it, and a command such as `/permissions allow …`
 * would run without a question. So text that begins like a command is never first.
 */
function textDraft(read: string, typed: string): Draft {
  const parts = read.startsWith('/') ? [typed === '' ? 'This is the text:' : typed, read] : [read, typed];
  const text = parts.filter((part) => part !== '').join('\n\n');
  if (text === '') throw new Error('the prompt is empty. Give it as an argument, with --file, or on stdin');
  return { text, attachments: [], hasMentions: false };
}

/** Reads stdin if it is a file or a pipe, not a terminal or a device. */
async function readPiped(): Promise<Buffer> {
  const kind = fstatSync(0);
  if (kind.isFile()) return buffer(process.stdin);
  if (!kind.isFIFO() && !kind.isSocket()) return Buffer.alloc(0);
  const { stdin } = process;
  const waiting = AbortSignal.timeout(stdinTimeout);
  const isThere = await once(stdin, 'readable', { signal: waiting }).then(
    () => true,
    () => false,
  );
  if (isThere) return buffer(stdin);
  // A shell closes its pipe when the command before it ends. Other programs may keep a socket open indefinitely.
  if (kind.isFIFO()) {
    warn('waiting for the input on stdin. Redirect stdin from /dev/null if there is none');
    return buffer(stdin);
  }
  warn('no input on stdin for 3 s; the prompt is sent without it. Redirect stdin from /dev/null to skip the wait');
  stdin.pause().unref();
  return Buffer.alloc(0);
}

function isText(bytes: Buffer): boolean {
  return isUtf8(bytes) && !bytes.includes(0);
}

function notText(): Error {
  return new Error('the input on stdin is not text. Give it as a file with --file');
}

async function readSource(file: string): Promise<Buffer> {
  if (file !== '-') return readFile(file).catch((error: unknown) => refuse(file, error));
  if (process.stdin.isTTY) throw new Error('there is no prompt. Give it as an argument, with --file, or on stdin');
  return buffer(process.stdin);
}

function refuse(file: string, error: unknown): never {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') throw new Error(`there is no file ${file} to read the prompt from`);
  if (code === 'EISDIR') throw new Error(`${file} is a folder, so there is no prompt in it`);
  throw new Error(`the prompt cannot be read from ${file} (${code})`);
}
