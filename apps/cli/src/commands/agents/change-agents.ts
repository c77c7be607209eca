import { acceptAgent } from '../../driving/agent-consent.ts';
import { agentEntries } from '../../agents/agent-entries.ts';
import { configFiles, projectLocation, writeAgent } from '../../agents/config-files.ts';
import { registryCommand } from '../../agents/registry/registry-command.ts';
import { registryAt, registryUrl } from '../../agents/registry/registry.ts';
import { builtInAgentName } from '../../built-in-agent.ts';
import type { ConfiguredAgent } from '../../config/config.ts';
import { type ConfigLocation, readConfigFile } from '../../config/config-file.ts';
import { readConfig, userConfigPath } from '../../config/read-config.ts';
import { isReserved } from '../../config/reserved-names.ts';
import { exitCodes } from '../../exit-codes.ts';
import { CommandError, warn } from '../../failure.ts';
import type { GlobalOptions } from '../../options.ts';
import { report } from '../report.ts';
import { shownCommand } from '../../shown-command.ts';

/** The arguments of `agents add`. */
export interface AddArguments {
  readonly name: string | undefined;
  readonly words: readonly string[];
  readonly fromRegistry?: string | undefined;
  readonly project?: boolean | undefined;
  readonly replace?: boolean | undefined;
  /** Names of commands, which an agent cannot have. */
  readonly taken: readonly string[];
}

/** Writes an agent into a configuration file. Resolves with the exit code. */
export async function addAgent(args: AddArguments, options: GlobalOptions): Promise<number> {
  const name = args.name ?? args.fromRegistry;
  if (name === undefined) throw usage('give the agent a name: turnwire agents add NAME -- COMMAND');
  refuseName(name, args);
  const agent =
    args.fromRegistry === undefined
      ? fromWords(args.words)
      : await fromRegistry(args.fromRegistry, args.words, options);
  const complete = { ...withVariables(agent, options.env), ...(options.protocol && { protocol: options.protocol }) };
  const location = args.project ? await projectLocation(options.cwd) : { path: userConfigPath() };
  const { path } = location;
  if (!args.replace) await refuseExisting(name, location);
  await writeAgent(location, name, complete);
  if (args.project) {
    // Adding an agent to the project implies consent to start it.
    const proposal = (await readConfig(options.cwd)).proposals.get(name);
    if (proposal) await acceptAgent(proposal);
  }
  const command = shownCommand([complete.command, ...(complete.args ?? [])]);
  report(options, { action: 'agent_added', name, file: path, command }, () =>
    options.format === 'quiet' ? name : `${name} is ${command}\nwritten to ${path}`,
  );
  await warnIfUnused(name, path, options);
  return exitCodes.ok;
}

/** Removes an agent from a configuration file. Resolves with the exit code. */
export async function removeAgent(name: string, project: boolean | undefined, options: GlobalOptions): Promise<number> {
  const files = await configFiles(options.cwd);
  const file = project ? files.project : files.user;
  if (!file || !Object.hasOwn(file.config.agents ?? {}, name)) throw nothingToRemove(name, project, files);
  await writeAgent({ path: file.path, ...(project && { project: options.cwd }) }, name, undefined);
  report(options, { action: 'agent_removed', name, file: file.path }, () =>
    options.format === 'quiet' ? name : `${name} is no longer in ${file.path}`,
  );
  return exitCodes.ok;
}

function fromWords([command, ...args]: readonly string[]): ConfiguredAgent {
  if (command === undefined) throw usage('give its command after --: turnwire agents add NAME -- COMMAND');
  return { command, args };
}

async function fromRegistry(id: string, words: readonly string[], { config }: GlobalOptions): Promise<ConfiguredAgent> {
  if (words.length > 0) throw usage('give a command or --from-registry, not both');
  const { agents } = await registryAt(registryUrl(config), warn);
  const agent = agents.find((each) => each.id === id);
  if (!agent)
    throw new CommandError(`the registry has no agent '${id}'. See turnwire agents list --registry`, exitCodes.error);
  return registryCommand(agent);
}

/** Adds the variables of `--env`. A program with a space in its path is quoted, because the command is split when it is read. */
function withVariables(
  { command, args = [], env = {} }: ConfiguredAgent,
  assignments: readonly string[],
): ConfiguredAgent {
  const bare = assignments.find((entry) => !entry.includes('='));
  if (bare !== undefined)
    throw usage(
      `--env ${bare} has no value. A configuration stores values: --env ${bare}=VALUE; to pass a variable on, give --env with each command`,
    );
  const variables = {
    ...env,
    ...(Object.fromEntries(assignments.map((entry) => entry.split(/=(.*)/s, 2))) as Record<string, string>),
  };
  return {
    command: /^[\w@%+=:,./-]+$/.test(command) ? command : `'${command.replaceAll("'", `'"'"'`)}'`,
    ...(args.length > 0 && { args }),
    ...(Object.keys(variables).length > 0 && { env: variables }),
  };
}

function refuseName(name: string, { taken, project }: AddArguments): void {
  if (name === builtInAgentName)
    throw usage(`${name} is the name of the built-in agent, so another agent cannot have it`);
  if (taken.includes(name)) throw usage(`${name} is a command, so it cannot be the name of an agent`);
  if (project && isReserved(name))
    throw usage(`${name} is a word users type as a command, so it cannot be the name of an agent of a project`);
  if (!/^[A-Za-z0-9][\w.-]{0,63}$/.test(name))
    throw usage(
      `'${name}' is not a valid name for an agent: use letters, digits, dots, dashes and underscores, and begin with a letter or a digit`,
    );
}

async function refuseExisting(name: string, location: ConfigLocation): Promise<void> {
  const file = await readConfigFile(location);
  if (Object.hasOwn(file?.config.agents ?? {}, name))
    throw new CommandError(
      `${location.path} has an agent '${name}' already. To replace it: --replace`,
      exitCodes.error,
    );
}

async function warnIfUnused(name: string, path: string, { cwd }: GlobalOptions): Promise<void> {
  const entry = (await agentEntries(cwd)).find((each) => each.name === name);
  if (entry?.file !== path)
    warn(
      `it is not used here: the '${name}' ${entry?.file === undefined ? 'that is known' : `in ${entry.file}`} takes precedence`,
    );
  else if (entry.path === undefined)
    warn(`there is no program ${shownCommand(entry.words.slice(0, 1))} on this machine yet`);
}

function nothingToRemove(
  name: string,
  project: boolean | undefined,
  files: Awaited<ReturnType<typeof configFiles>>,
): CommandError {
  const other = project ? files.user : files.project;
  const isThere = other && Object.hasOwn(other.config.agents ?? {}, name);
  const hint = isThere ? `. It is in ${other.path}: turnwire agents remove ${name}${project ? '' : ' --project'}` : '';
  return new CommandError(
    `no agent '${name}' is configured ${project ? 'for this project' : 'in your own configuration'}${hint}`,
    exitCodes.error,
  );
}

function usage(message: string): CommandError {
  return new CommandError(message, exitCodes.usage);
}
