import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Lets the user edit a text in the editor that VISUAL or EDITOR names, or in vi. Resolves with the saved text; undefined if the editor
 * failed.
 * @param signal ends the editor
 */
export async function editElsewhere(text: string, signal: AbortSignal): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'turnwire-prompt-'));
  const file = join(folder, 'prompt.md');
  try {
    await writeFile(file, text, { mode: 0o600 });
    const { VISUAL, EDITOR } = process.env;
    if ((await exitCode(VISUAL || EDITOR || 'vi', file, signal)) !== 0) return undefined;
    return (await readFile(file, 'utf8')).replace(/\n$/, '');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs the editor. Its variable contains a command line, such as `code --wait`. */
function exitCode(editor: string, file: string, signal: AbortSignal): Promise<number | null> {
  const [program, words] =
    process.platform === 'win32' ? [`${editor} "${file}"`, []] : ['/bin/sh', ['-c', `${editor} "$1"`, 'sh', file]];
  const child = spawn(program, words, { stdio: 'inherit', signal, shell: process.platform === 'win32' });
  return new Promise((resolve) => {
    child.once('error', () => resolve(null));
    child.once('exit', resolve);
  });
}
