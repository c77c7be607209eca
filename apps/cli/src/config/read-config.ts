import { dirname, join, resolve } from 'node:path';
import { configFolder } from '../places.ts';
import { foldersUpwards } from '../store/session-store.ts';
import { isKnownAgent } from '../agent-names.ts';
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
export const projectConfigPath: string = join('.turnwire', 'config.json');

/**
 * What the user's file and the project's say. The project's is that of the nearest folder up to the root of the repository.
 * A project may have been written by anybody, so its file cannot loosen what may be done, nor change what a known name starts:
 * such settings are left out, with a warning. Rejects with BrokenConfig.
 */
export async function readConfig(cwd: string): Promise<ReadConfig> {
  const user = await readConfigFile(userConfigPath());
  const project = await nearestProject(cwd);
  const own = user ? grounded(user) : {};
  const { config, warnings } = project
    ? restrained(grounded(project), project.path, own)
    : { config: {}, warnings: [] };
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

/** What a project's file may not say, each with when that is and how it is told. */
function refused(config: Config, own: Config): ReadonlyMap<keyof Config, string> {
  const { permissions, permissionMode, mcpConfig, mcpServers, defaultAgent, agents = {} } = config;
  const isLoose = permissionMode === 'bypassPermissions' || permissionMode === 'acceptEdits';
  const isSelfMade = defaultAgent !== undefined && Object.hasOwn(agents, defaultAgent) && !isTaken(defaultAgent, own);
  const all: readonly (readonly [keyof Config, boolean, string])[] = [
    ['permissions', permissions === 'approve-all', '"permissions": "approve-all"'],
    ['permissionMode', isLoose, `"permissionMode": "${permissionMode}"`],
    ['mcpConfig', mcpConfig !== undefined, '"mcpConfig"'],
    ['mcpServers', mcpServers !== undefined, '"mcpServers"'],
    ['registry', config.registry !== undefined, '"registry"'],
    ['defaultAgent', isSelfMade, `"defaultAgent": "${defaultAgent}", which the same file defines,`],
  ];
  return new Map(all.filter(([, isRefused]) => isRefused).map(([key, , words]) => [key, words]));
}

/** Names whose meaning a project must not change. */
function isTaken(agent: string, own: Config): boolean {
  return isKnownAgent(agent) || (own.agents !== undefined && Object.hasOwn(own.agents, agent));
}

function restrained(config: Config, path: string, own: Config): { config: Config; warnings: readonly string[] } {
  const leftOut = refused(config, own);
  const agents = Object.entries(config.agents ?? {});
  const taken = agents.filter(([key]) => isTaken(key, own)).map(([key]) => `the agent "${key}"`);
  const allowed = Object.entries(config).filter(([key]) => !leftOut.has(key as keyof Config));
  return {
    config: {
      ...(Object.fromEntries(allowed) as Config),
      agents: Object.fromEntries(agents.filter(([key]) => !isTaken(key, own))),
    },
    warnings: [...leftOut.values(), ...taken].map(
      (what) =>
        `${path}: ${what} is left out: a project's file may not set it. Say it on the command line or in ${userConfigPath()}`,
    ),
  };
}
