import { isObject } from '../../is-object.ts';

/** A package that `npx` or `uvx` fetches and starts. */
export interface PackageDistribution {
  /** The package, usually with an exact version. */
  readonly package: string;
  /** The program in the package, if its name differs from that of the package. */
  readonly cmd?: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** A program to download, for one platform. */
export interface BinaryDistribution {
  readonly archive: string;
  readonly cmd: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** An agent in the public registry. */
export interface RegistryAgent {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly npx?: PackageDistribution;
  readonly uvx?: PackageDistribution;
  /** By platform, such as `linux-x86_64`. */
  readonly binary?: Readonly<Record<string, BinaryDistribution>>;
}

/** Reads the registry's JSON and skips invalid entries and fields. Undefined if it is not a registry. */
export function readRegistry(value: unknown): readonly RegistryAgent[] | undefined {
  if (!isObject(value) || !Array.isArray(value['agents'])) return undefined;
  return value['agents'].flatMap((each: unknown) => readAgent(each) ?? []);
}

function readAgent(value: unknown): RegistryAgent | undefined {
  if (!isObject(value) || !isObject(value['distribution'])) return undefined;
  const { id, name, version, description = '', distribution } = value;
  if (!isText(name) || !isText(description) || !fits(id, /^[a-z][a-z0-9-]{0,63}$/)) return undefined;
  // The name becomes part of a command.
  if (!fits(version, /^\d+\.\d+\.\d+[\w.+-]*$/)) return undefined;
  const ways = readWays(distribution);
  return Object.keys(ways).length > 0 ? { id, name, version, description, ...ways } : undefined;
}

function readWays(distribution: Record<string, unknown>): Pick<RegistryAgent, 'npx' | 'uvx' | 'binary'> {
  const npx = readPackage(distribution['npx']);
  const uvx = readPackage(distribution['uvx']);
  const binary = readBinaries(distribution['binary']);
  return { ...(npx && { npx }), ...(uvx && { uvx }), ...(binary && { binary }) };
}

function readPackage(value: unknown): PackageDistribution | undefined {
  if (!isObject(value)) return undefined;
  const { package: name, cmd } = value;
  const start = readStart(value);
  // A leading dash would make it an option of the program that fetches it.
  if (!isText(name) || !/^[@\w]/.test(name) || /\s/.test(name) || !start) return undefined;
  if (cmd !== undefined && (!isText(cmd) || cmd.startsWith('-'))) return undefined;
  return { package: name, ...(cmd !== undefined && { cmd }), ...start };
}

function readBinaries(value: unknown): Readonly<Record<string, BinaryDistribution>> | undefined {
  if (!isObject(value)) return undefined;
  const entries = Object.entries(value).flatMap(([platform, each]) => {
    if (!isObject(each)) return [];
    const { archive, cmd } = each;
    const start = readStart(each);
    return isText(archive) && isText(cmd) && start ? [[platform, { archive, cmd, ...start }] as const] : [];
  });
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

function readStart(value: Record<string, unknown>): Pick<PackageDistribution, 'args' | 'env'> | undefined {
  const { args = [], env = {} } = value;
  if (!Array.isArray(args) || !args.every(isText) || !isObject(env)) return undefined;
  const entries = Object.entries(env).filter((entry): entry is [string, string] => isText(entry[1]));
  return { args, env: Object.fromEntries(entries) };
}

function fits(value: unknown, pattern: RegExp): value is string {
  return isText(value) && pattern.test(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
