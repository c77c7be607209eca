import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';

/** Where a prompt may come from. */
export interface PromptSource {
  readonly words: readonly string[];
  /** A path, or `-` for stdin. */
  readonly file: string | undefined;
}

/** A prompt, before it is known which content the agent accepts. */
export interface Draft {
  readonly text: string;
  /** Absolute paths of files to send along. */
  readonly attachments: readonly string[];
  /** Whether `@path` in the text stands for a file: yes in typed text; not in text from a file or stdin. */
  readonly hasMentions: boolean;
}

/**
 * The prompt: the file, then the words; stdin if there is neither. A file that is not text, such as an image, is sent as an attachment.
 * Rejects with advice if the prompt is empty.
 */
export async function readPrompt({ words, file }: PromptSource): Promise<Draft> {
  const typed = words.join(' ').trim();
  const source = typed === '' ? (file ?? '-') : file;
  if (source === undefined) return { text: typed, attachments: [], hasMentions: true };
  const read = await readSource(source);
  if (isUtf8(read) && !read.includes(0)) return textDraft(read.toString().trim(), typed);
  if (source === '-') throw new Error('the input on stdin is not text. Give it as a file with --file');
  return { text: typed, attachments: [resolve(source)], hasMentions: true };
}

/**
 * Text from a file or stdin is never a command to the agent, whatever it begins with: somebody else may have written it, and a command such
 * as `/permissions allow …` would run without a question. So it never comes first if it looks like one.
 */
function textDraft(read: string, typed: string): Draft {
  const parts = read.startsWith('/') ? [typed === '' ? 'This is the text:' : typed, read] : [read, typed];
  const text = parts.filter((part) => part !== '').join('\n\n');
  if (text === '') throw new Error('the prompt is empty. Give it as an argument, with --file, or on stdin');
  return { text, attachments: [], hasMentions: false };
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
