import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { resourceNotFound } from '@turnwire/protocol';
import type { LineRange } from './line-range.ts';
import type { TurnClient } from './turn-client.ts';

/**
 * Text files, through the client if it supports that, so that unsaved changes are seen and edits show up in the editor; else on this
 * machine. Relative paths start at the session's working directory. Paths are not confined to it: that is up to the agent.
 */
export interface TurnFiles {
  /** @throws ProtocolError -32002 if there is no such file here */
  read(path: string, range?: LineRange): Promise<string>;
  /** Creates the file and its folders if necessary. */
  write(path: string, content: string): Promise<void>;
}

/** @param cwd base of relative paths */
export function turnFiles(client: TurnClient, cwd: string): TurnFiles {
  return {
    read: (path, range = {}) => {
      const absolute = resolve(cwd, path);
      return client.readTextFile ? client.readTextFile(absolute, range) : readLocal(absolute, range);
    },
    write: (path, content) => {
      const absolute = resolve(cwd, path);
      return client.writeTextFile ? client.writeTextFile(absolute, content) : writeLocal(absolute, content);
    },
  };
}

async function readLocal(path: string, { line = 1, limit }: LineRange): Promise<string> {
  try {
    const text = await readFile(path, 'utf8');
    if (line <= 1 && limit === undefined) return text;
    const start = Math.max(line, 1) - 1;
    return text
      .split(/(?<=\n)/)
      .slice(start, limit === undefined ? undefined : start + limit)
      .join('');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw resourceNotFound(`There is no file ${path}`, { uri: path });
    throw error;
  }
}

async function writeLocal(path: string, content: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
}
