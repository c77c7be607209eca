import type { ConfiguredAgent } from '../../config/config.ts';
import { CommandError } from '../../failure.ts';
import { exitCodes } from '../../exit-codes.ts';
import type { BinaryDistribution, PackageDistribution, RegistryAgent } from './registry-format.ts';

/** The ways an agent of the registry is distributed: `npx`, `uvx`, `download`. */
export function distributionWords({ npx, uvx, binary }: RegistryAgent): string {
  return [...(npx ? ['npx'] : []), ...(uvx ? ['uvx'] : []), ...(binary ? ['download'] : [])].join(', ');
}

/**
 * The command of an agent of the registry, pinned to its current version. Throws CommandError for an agent that the user has to download by
 * hand.
 */
export function registryCommand(agent: RegistryAgent): ConfiguredAgent {
  const { npx, uvx, version } = agent;
  if (npx) return withEnv(npxWords(npx, version), npx);
  if (uvx) return withEnv(uvxWords(uvx, version), uvx);
  throw toDownload(agent);
}

/** The package's own version if it is exact; otherwise the agent's version replaces a tag or a range. */
function npxWords({ package: name, cmd, args }: PackageDistribution, version: string): readonly string[] {
  const exact = /@\d+\.\d+\.\d+[\w.+-]*$/.test(name) ? name : `${name.replace(/(?<=.)@[^@/]*$/, '')}@${version}`;
  return cmd === undefined
    ? ['npx', '--yes', exact, ...args]
    : ['npx', '--yes', `--package=${exact}`, '--', cmd, ...args];
}

function uvxWords({ package: name, cmd, args }: PackageDistribution, version: string): readonly string[] {
  const isExact = /(?:@|==)\d+[\w.+!-]*$/.test(name);
  const exact = isExact ? name : `${name.replace(/(?:@|[=<>~!]=?)[^@]*$/, '')}@${version}`;
  return cmd === undefined ? ['uvx', exact, ...args] : ['uvx', '--from', exact, cmd, ...args];
}

function withEnv([command = '', ...args]: readonly string[], { env }: PackageDistribution): ConfiguredAgent {
  return { command, args, ...(Object.keys(env).length > 0 && { env }) };
}

function toDownload({ id, binary = {} }: RegistryAgent): CommandError {
  const own: BinaryDistribution | undefined = binary[platformName()];
  if (!own) return new CommandError(`the registry has no ${id} for this platform (${platformName()})`, exitCodes.error);
  const words = [`/path/to/${own.cmd.replace(/^\.\//, '')}`, ...own.args].join(' ');
  return new CommandError(
    `${id} has to be downloaded by hand. Unpack ${own.archive} and add it with its path: turnwire agents add ${id} -- ${words}`,
    exitCodes.error,
  );
}

/** The registry's name for this platform. */
function platformName(): string {
  const systems: Readonly<Record<string, string>> = { darwin: 'darwin', linux: 'linux', win32: 'windows' };
  const machines: Readonly<Record<string, string>> = { arm64: 'aarch64', x64: 'x86_64' };
  return `${systems[process.platform] ?? process.platform}-${machines[process.arch] ?? process.arch}`;
}
