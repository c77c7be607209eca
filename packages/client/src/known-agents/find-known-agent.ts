import type { Implementation } from '@turnwire/protocol';
import type { KnownAgent, KnownCommand } from './known-agent.ts';
import { knownAgents } from './known-agents.ts';

/** Facts that identify an agent. */
export interface AgentClues {
  /** Its name in `initialize`. */
  readonly info?: Pick<Implementation, 'name'> | undefined;
  /** The words of the command that started it. */
  readonly command?: readonly string[] | undefined;
}

/**
 * The agent with these facts; undefined if it is unknown. Its own name decides; before that is known, the command does: a program with a
 * known name, or the npm package in `npx PACKAGE@VERSION` and in the path of a script.
 */
export function knownAgent({ info, command = [] }: AgentClues): KnownAgent | undefined {
  if (info !== undefined) return knownAgents.find(({ infoNames = [] }) => infoNames.includes(info.name));
  return knownAgents.find((agent) => isStartedBy(agent, command));
}

/** The agent with a name used on a command line; case does not matter. */
export function knownAgentNamed(name: string): KnownAgent | undefined {
  return knownAgents.find((agent) => agent.name === name.toLowerCase());
}

/**
 * How to start an agent that is installed.
 * @param platform of the machine it is installed on, as `process.platform` of Node names it
 */
export function installedCommand(agent: KnownAgent, platform: string): KnownCommand {
  return (platform === 'win32' ? agent.windowsCommand : undefined) ?? agent.command;
}

/**
 * The command of an agent that is not installed: npm fetches its package, in the tested version, and caches it. Undefined without a package
 * or a tested version, because the behaviour of other versions is unknown.
 */
export function fetchedCommand({ package: name, version, command }: KnownAgent): KnownCommand | undefined {
  if (name === undefined || version === undefined) return undefined;
  const [program, ...words] = command;
  return ['npx', '--yes', `--package=${name}@${version}`, '--', program, ...words];
}

function isStartedBy(agent: KnownAgent, [started = '', ...others]: readonly string[]): boolean {
  const [program] = agent.command;
  if (program !== 'uvx' && programName(started) === programName(program)) return true;
  const { package: name } = agent;
  if (name === undefined) return false;
  const isFetched = fetchers.has(programName(started));
  return [started, ...others].some((word) => isInPackage(word, name) || (isFetched && isPackage(word, name)));
}

/** Programs that run the program of a package. */
const fetchers = new Set(['npx', 'npm', 'pnpx', 'pnpm', 'yarn', 'bunx', 'bun']);

function programName(path: string): string {
  const name = path.split(/[/\\]/).at(-1) ?? '';
  return name.replace(/\.(?:exe|cmd|bat|ps1)$/i, '').toLowerCase();
}

/** Whether a word is a package: `cline`, `cline@3.0.65`, `--package=cline@3.0.65`. */
function isPackage(word: string, name: string): boolean {
  const spec = word.replace(/^--package=/, '');
  return spec === name || spec.startsWith(`${name}@`);
}

/** Whether a word is a path inside a package: `/somewhere/node_modules/cline/bin/cline`. */
function isInPackage(word: string, name: string): boolean {
  return word.replaceAll('\\', '/').includes(`/node_modules/${name}/`);
}
