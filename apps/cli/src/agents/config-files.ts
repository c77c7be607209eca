import { chmod, mkdir, readFile, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { applyEdits, modify } from 'jsonc-parser';
import type { ConfiguredAgent } from '../config/config.ts';
import { type ConfigFile, readConfigFile } from '../config/config-file.ts';
import { projectConfigPath, userConfigPath } from '../config/read-config.ts';
import { replaceFile } from '../store/atomic-file.ts';
import { foldersUpwards } from '../store/session-store.ts';

/** The files of configuration that count in a folder, each as it stands. */
export interface ConfigFiles {
  readonly user: ConfigFile | undefined;
  readonly project: ConfigFile | undefined;
}

/** Reads the user's file, and the nearest of the project. Rejects with BrokenConfig. */
export async function configFiles(cwd: string): Promise<ConfigFiles> {
  return { user: await readConfigFile(userConfigPath()), project: await readConfigFile(await projectPath(cwd)) };
}

/** The project's file, or where it would be: in the root of the repository. */
export async function projectPath(cwd: string): Promise<string> {
  const folders = foldersUpwards(cwd);
  for (const folder of folders) {
    const path = join(folder, projectConfigPath);
    if (await exists(path)) return path;
  }
  return join(folders.at(-1) ?? cwd, projectConfigPath);
}

/** Sets an agent in a file of configuration, or takes it out. Everything else in the file stays as it is, comments included. */
export async function writeAgent(path: string, name: string, agent: ConfiguredAgent | undefined): Promise<void> {
  // A link, as people who keep their settings elsewhere have it, stays one.
  const target = await realpath(path).catch(() => path);
  const mode = await stat(target).then(
    (found) => found.mode & 0o777,
    () => undefined,
  );
  const text = mode === undefined ? '{}\n' : await readFile(target, 'utf8');
  const edits = modify(text.trim() === '' ? '{}\n' : text, ['agents', name], agent, {
    formattingOptions: { insertSpaces: true, tabSize: 2, eol: '\n' },
  });
  await mkdir(dirname(target), { recursive: true });
  await replaceFile(target, applyEdits(text.trim() === '' ? '{}\n' : text, edits));
  if (mode !== undefined) await chmod(target, mode);
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
