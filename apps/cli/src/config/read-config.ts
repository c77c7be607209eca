import { dirname, join, resolve } from 'node:path';
import { configFolder } from '../places.ts';
import { foldersUpwards } from '../store/session-store.ts';
import type { Config } from './config.ts';
import { type ConfigFile, readConfigFile } from './config-file.ts';

/** What is configured for a folder. */
export interface ReadConfig {
  readonly config: Config;
  /** The files it comes from: the user's, the project's. */
  readonly files: readonly string[];
  readonly warnings: readonly string[];
}

/** The user's file. */
export function userConfigPath(): string {
  return join(configFolder(), 'config.json');
}

/** Where a project's file is, seen from its folder. */
export const projectConfigPath: string = join('.agentwire', 'config.json');

/**
 * What the user's file and the project's say. The project's is that of the nearest folder up to the root of the repository.
 * A project may have been written by anybody, so its file cannot loosen what may be done, nor change what a known name starts:
 * such settings are left out, with a warning. Rejects with BrokenConfig.
 */
export async function readConfig(cwd: string): Promise<ReadConfig> {
  const user = await readConfigFile(userConfigPath());
  const project = await nearestProject(cwd);
  const own = user ? grounded(user) : {};
  const { config, warnings } = project ? restrained(grounded(project), project.path, own) : { config: {}, warnings: [] };
  return {
    config: { ...own, ...config, agents: { ...config.agents, ...own.agents } },
    files: [user, project].flatMap((file) => (file ? [file.path] : [])),
    warnings: [...(user?.warnings ?? []), ...(project?.warnings ?? []), ...warnings],
  };
}

async function nearestProject(cwd: string): Promise<ConfigFile | undefined> {
  for (const folder of foldersUpwards(cwd)) {
    const file = await readConfigFile(join(folder, projectConfigPath));
    if (file) return file;
  }
  return undefined;
}

/** Paths in a file are seen from its folder. */
function grounded({ path, config }: ConfigFile): Config {
  const { mcpConfig } = config;
  return mcpConfig === undefined ? config : { ...config, mcpConfig: resolve(dirname(path), mcpConfig) };
}

function restrained(config: Config, path: string, own: Config): { config: Config; warnings: readonly string[] } {
  const warnings: string[] = [];
  const { permissions, permissionMode, mcpConfig, mcpServers, agents = {}, defaultAgent, ...harmless } = config;
  const leaveOut = (what: string): void =>
    void warnings.push(`${path}: ${what} is left out: a project's file may not set it. Say it on the command line or in ${userConfigPath()}`);
  if (permissions === 'approve-all') leaveOut('"permissions": "approve-all"');
  if (permissionMode === 'bypassPermissions' || permissionMode === 'acceptEdits')
    leaveOut(`"permissionMode": "${permissionMode}"`);
  if (mcpConfig !== undefined) leaveOut('"mcpConfig"');
  if (mcpServers !== undefined) leaveOut('"mcpServers"');
  const redefined = Object.keys(agents).filter((key) => key === 'coder' || (own.agents && key in own.agents));
  for (const key of redefined) leaveOut(`the agent "${key}"`);
  const isOwn = defaultAgent !== undefined && Object.hasOwn(agents, defaultAgent) && !redefined.includes(defaultAgent);
  if (isOwn) leaveOut(`"defaultAgent": "${defaultAgent}", which the same file defines,`);
  return {
    config: {
      ...harmless,
      ...(permissions && permissions !== 'approve-all' && { permissions }),
      ...((permissionMode === 'plan' || permissionMode === 'default') && { permissionMode }),
      ...(defaultAgent !== undefined && !isOwn && { defaultAgent }),
      agents: Object.fromEntries(Object.entries(agents).filter(([key]) => !redefined.includes(key))),
    },
    warnings,
  };
}
