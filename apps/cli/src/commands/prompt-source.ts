import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';

/** Where a prompt may come from. */
export interface PromptSource {
  readonly words: readonly string[];
  /** A path, or `-` for stdin. */
  readonly file: string | undefined;
}

/** The prompt: the file, then the words; stdin if there is neither. Rejects with what to do if it is empty. */
export async function readPrompt({ words, file }: PromptSource): Promise<string> {
  const typed = words.join(' ').trim();
  const read = await readSource(typed === '' ? (file ?? '-') : file);
  const prompt = [read.trim(), typed].filter((part) => part !== '').join('\n\n');
  if (prompt === '') throw new Error('the prompt is empty. Give it as an argument, with --file, or on stdin');
  return prompt;
}

async function readSource(file: string | undefined): Promise<string> {
  if (file === undefined) return '';
  if (file !== '-') return readFile(file, 'utf8').catch((error: unknown) => refuse(file, error));
  if (process.stdin.isTTY) throw new Error('there is no prompt. Give it as an argument, with --file, or on stdin');
  return text(process.stdin);
}

function refuse(file: string, error: unknown): never {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') throw new Error(`there is no file ${file} to read the prompt from`);
  if (code === 'EISDIR') throw new Error(`${file} is a folder, so there is no prompt in it`);
  throw new Error(`the prompt cannot be read from ${file} (${code})`);
}
