import { chmod, mkdir, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { foldersUpwards, replaceFile } from '@turnwire/machine';
import { applyEdits, modify } from 'jsonc-parser';
import type { ConfiguredAgent } from '../config/config.ts';
import { type ConfigFile, type ConfigLocation, configText, readConfigFile } from '../config/config-file.ts';
import { projectConfigPath, userConfigPath } from '../config/read-config.ts';

/** The configuration files that apply in a folder. */
export interface ConfigFiles {
  readonly user: ConfigFile | undefined;
  readonly project: ConfigFile | undefined;
}

/** Reads the user's file and the nearest one of the project. Rejects with BrokenConfig. */
export async function configFiles(cwd: string): Promise<ConfigFiles> {
  const user = await readConfigFile({ path: userConfigPath() });
  return { user, project: await readConfigFile(await projectLocation(cwd)) };
}

/** The project's file, or its path in the root of the repository if there is none. */
export async function projectLocation(cwd: string): Promise<ConfigLocation> {
  const folders = foldersUpwards(cwd);
  for (const folder of folders) {
    const path = join(folder, projectConfigPath);
    if (await exists(path)) return { path, project: cwd };
  }
  return { path: join(folders.at(-1) ?? cwd, projectConfigPath), project: cwd };
}

/**
 * Sets or removes an agent in a configuration file. The rest of the file is unchanged, including comments. Rejects with BrokenConfig if the
 * file cannot be read, or if a project's file is a link that leads out of the project.
 */
export async function writeAgent(
  location: ConfigLocation,
  name: string,
  agent: ConfiguredAgent | undefined,
): Promise<void> {
  const { path } = location;
  const text = configText(location) ?? '';
  // Write through a symbolic link: users with a dotfiles repository have one.
  const target = await realpath(path).catch(() => path);
  const mode = await stat(target).then(
    (found) => found.mode & 0o777,
    () => undefined,
  );
  const edits = modify(text.trim() === '' ? '{}\n' : text, ['agents', name], agent, {
    formattingOptions: { insertSpaces: true, tabSize: 2, eol: '\n' },
  });
  await mkdir(dirname(target), { recursive: true, mode: location.project === undefined ? 0o700 : 0o755 });
  await replaceFile(target, applyEdits(text.trim() === '' ? '{}\n' : text, edits));
  if (mode !== undefined) await chmod(target, mode);
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
