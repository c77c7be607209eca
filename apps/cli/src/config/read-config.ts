import { dirname, join, resolve } from 'node:path';
import { configFolder, foldersUpwards, KeptConsents, type ProjectProposal } from '@turnwire/machine';
import { isKnownAgent } from './agent-names.ts';
import type { AgentProposal } from './agent-proposal.ts';
import { permissionBases, permissionModes } from './config-values.ts';
import { limitNames, type UsageLimits } from '@turnwire/protocol';
import type { Config, ConfiguredBudgets } from './config.ts';
import { BrokenConfig, type ConfigFile, readConfigFile } from './config-file.ts';
import { mayNameAgent } from './reserved-names.ts';
import { originFolder } from '../own-places/place-folders.ts';

/** The configuration of a folder. */
export interface ReadConfig {
  readonly config: Config;
  /** The files that exist: the user's, then the project's. */
  readonly files: readonly string[];
  readonly warnings: readonly string[];
  /** Agents of the project's file that the user has not agreed to start. They are not in the configuration. */
  readonly proposals: ReadonlyMap<string, AgentProposal>;
  /** The command of the project's file that prepares new places. It is not in the configuration. */
  readonly setUpProposal?: (ProjectProposal & { readonly entry: string }) | undefined;
}

/** The user's file. */
export function userConfigPath(): string {
  return join(configFolder(), 'config.json');
}

/** The path of a project's file, relative to the project. */
export const projectConfigPath: string = join('.turnwire', 'config.json');

/**
 * Merges the user's file and the project's file, which is in the nearest folder up to the root of the repository.
 * A project is not trusted: its file cannot loosen permissions or change what a known name starts, and its agents are
 * proposals until the user agrees to them. Such settings are left out with a warning, and so is a broken file.
 * Rejects with BrokenConfig if the user's file is broken.
 */
export async function readConfig(cwd: string): Promise<ReadConfig> {
  const user = await readConfigFile({ path: userConfigPath() });
  const { file: project, broken } = await nearestProject(cwd);
  const own = user ? grounded(user) : {};
  const { config, warnings, proposals, setUpProposal } = project
    ? restrained(grounded(project), project.path, own)
    : { config: {}, warnings: [], proposals: new Map<string, AgentProposal>(), setUpProposal: undefined };
  return {
    config: {
      ...{ ...own, ...config, agents: { ...config.agents, ...own.agents } },
      ...(own.budgets && config.budgets && { budgets: lowerBudgets(own.budgets, config.budgets) }),
    },
    files: [user, project].flatMap((file) => (file ? [file.path] : [])),
    warnings: [...(user?.warnings ?? []), ...(project?.warnings ?? []), ...warnings, ...(broken ?? [])],
    proposals,
    ...(setUpProposal && { setUpProposal }),
  };
}

/** The limits of the user, lowered by those of a project. */
function lowerBudgets(own: ConfiguredBudgets, project: ConfiguredBudgets): ConfiguredBudgets {
  const lower = (one: UsageLimits = {}, other: UsageLimits = {}): UsageLimits =>
    Object.fromEntries(
      limitNames.flatMap((name) => {
        const least = Math.min(one[name] ?? Infinity, other[name] ?? Infinity);
        return least === Infinity ? [] : [[name, least]];
      }),
    );
  return { ...own, session: lower(own.session, project.session), day: lower(own.day, project.day) };
}

/** Finds the project's file. A broken one becomes a warning, so that the project's users can work without it. */
async function nearestProject(
  cwd: string,
): Promise<{ readonly file?: ConfigFile; readonly broken?: readonly string[] }> {
  try {
    for (const folder of foldersUpwards(cwd)) {
      const file = await readConfigFile({ path: join(folder, projectConfigPath), project: cwd });
      if (file) return { file };
    }
    return {};
  } catch (error) {
    if (!(error instanceof BrokenConfig)) throw error;
    return { broken: [`${error.message}. Nothing of this file is used`] };
  }
}

/** Resolves relative paths against the folder of the file. */
function grounded({ path, config }: ConfigFile): Config {
  const { mcpConfig } = config;
  return mcpConfig === undefined ? config : { ...config, mcpConfig: resolve(dirname(path), mcpConfig) };
}

/** The settings that a project's file may not make, with their wording for the warning. */
function refused(config: Config, own: Config): ReadonlyMap<keyof Config, string> {
  const { permissions, permissionMode, mcpConfig, mcpServers, defaultAgent, agents = {} } = config;
  const isSelfMade = defaultAgent !== undefined && Object.hasOwn(agents, defaultAgent) && !isTaken(defaultAgent, own);
  const all: readonly (readonly [keyof Config, boolean, string])[] = [
    [
      'permissions',
      isLooser([permissionBases, 'deny-all'], permissions, own.permissions),
      `"permissions": "${permissions}"`,
    ],
    [
      'permissionMode',
      isLooser([permissionModes, 'plan'], permissionMode, own.permissionMode),
      `"permissionMode": "${permissionMode}"`,
    ],
    ['mcpConfig', mcpConfig !== undefined, '"mcpConfig"'],
    ['mcpServers', mcpServers !== undefined, '"mcpServers"'],
    ['chat', config.chat !== undefined, '"chat"'],
    [
      'budgets',
      config.budgets?.currency !== undefined || config.budgets?.prices !== undefined,
      '"budgets" with a currency or prices',
    ],
    ['place', config.place === 'here' && (own.place ?? 'here') !== 'here', '"place": "here"'],
    ['review', config.review === false && own.review !== false, '"review": false'],
    ['registry', config.registry !== undefined, '"registry"'],
    ['defaultAgent', isSelfMade, `"defaultAgent": "${defaultAgent}", which the same file defines,`],
  ];
  return new Map(all.filter(([, isRefused]) => isRefused).map(([key, , words]) => [key, words]));
}

/** Whether a project would allow more than its user. Each value allows more than the previous ones, except the strictest. */
function isLooser<Word extends string>(
  [words, strictest]: readonly [words: readonly Word[], strictest: Word],
  theirs: Word | undefined,
  own: Word | undefined = words[0],
): boolean {
  const rank = (word: Word | undefined): number => words.findIndex((each) => each === word && each !== strictest);
  return theirs !== undefined && rank(theirs) > rank(own);
}

/** Whether a project must not use this agent name: another agent has it, or users type it as a command. */
function isTaken(agent: string, own: Config): boolean {
  return isKnownAgent(agent) || (own.agents !== undefined && Object.hasOwn(own.agents, agent)) || !mayNameAgent(agent);
}

function restrained(config: Config, file: string, own: Config): Omit<ReadConfig, 'files'> {
  const leftOut = refused(config, own);
  const agents = Object.entries(config.agents ?? {});
  const taken = agents.filter(([name]) => isTaken(name, own)).map(([name]) => `the agent ${JSON.stringify(name)}`);
  const { placeSetUp, ...others } = config;
  const allowed = Object.entries(others).filter(([key]) => !leftOut.has(key as keyof Config));
  // A place has the files of its origin, and the consents of the user for them.
  const agreedFile = originFolder(file);
  const free = agents
    .filter(([name]) => !isTaken(name, own))
    .map(([name, entry]) => ({ file: agreedFile, name, entry }));
  const consents = new KeptConsents();
  const agreed = free.filter((proposal) => consents.find(proposal) === 'allowed');
  const proposed = free.filter((proposal) => !agreed.includes(proposal));
  return {
    config: {
      ...(Object.fromEntries(allowed) as Config),
      agents: Object.fromEntries(agreed.map(({ name, entry }) => [name, entry])),
    },
    ...(placeSetUp !== undefined && { setUpProposal: { file: agreedFile, name: 'placeSetUp', entry: placeSetUp } }),
    proposals: new Map(proposed.map((proposal) => [proposal.name, proposal])),
    warnings: [...leftOut.values(), ...taken].map(
      (what) =>
        `${file}: ${what} is left out: a project's file may not set it. Set it on the command line or in ${userConfigPath()}`,
    ),
  };
}
