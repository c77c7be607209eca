import { readOwnFile, readProjectFile } from '@turnwire/machine';
import { type Node, type ParseError, parseTree, getNodeValue, printParseErrorCode } from 'jsonc-parser';
import { type Config, configKeys, configuredAgent, isObject } from './config.ts';

/** A parsed configuration file. */
export interface ConfigFile {
  readonly path: string;
  readonly config: Config;
  /** The problems of entries that are left out, in words. */
  readonly warnings: readonly string[];
}

/** A configuration file that cannot be used at all. */
export class BrokenConfig extends Error {
  override readonly name = 'BrokenConfig';
}

/** Where a configuration file is. */
export interface ConfigPlace {
  readonly path: string;
  /** The project folder it belongs to. Undefined: it is the user's own. */
  readonly project?: string | undefined;
}

/** Reads a JSON file that may have comments. Undefined if there is none. Throws BrokenConfig, which names the line. */
export function readConfigFile(place: ConfigPlace): ConfigFile | undefined {
  const text = configText(place);
  return text === undefined ? undefined : parseConfig(place.path, text);
}

/** The text of a file; undefined if there is none. Throws BrokenConfig if it cannot be read. */
export function configText({ path, project }: ConfigPlace): string | undefined {
  try {
    return project === undefined ? readOwnFile(path) : readProjectFile(path, { project });
  } catch (error) {
    throw new BrokenConfig(`the configuration ${(error as Error).message.replace(/\.$/, '')}`);
  }
}

function parseConfig(path: string, text: string): ConfigFile {
  const errors: ParseError[] = [];
  const root = treeOf(path, text, errors);
  const [first] = errors;
  if (first) throw new BrokenConfig(`${at(path, text, first.offset)}: ${printParseErrorCode(first.error)}`);
  if (root?.type !== 'object') throw new BrokenConfig(`${at(path, text, 0)}: the configuration is not an object`);
  const members = (root.children ?? []).map(({ children }) => children as [Node, Node]);
  const read = members.map(([key, value]) => member({ path, text }, key, value));
  return {
    path,
    config: Object.fromEntries(read.flatMap(({ entry }) => (entry ? [entry] : []))) as Config,
    warnings: read.flatMap(({ warning }) => (warning === undefined ? [] : [warning])),
  };
}

function treeOf(path: string, text: string, errors: ParseError[]): Node | undefined {
  try {
    return parseTree(text, errors, { allowTrailingComma: true });
  } catch {
    throw new BrokenConfig(`${path}: it is nested too deeply`);
  }
}

function member(
  { path, text }: { readonly path: string; readonly text: string },
  key: Node,
  node: Node,
): { readonly entry?: readonly [string, unknown]; readonly warning?: string } {
  const keyName = String(key.value);
  const check = Object.hasOwn(configKeys, keyName) ? configKeys[keyName as keyof Config] : undefined;
  if (!check) {
    if (keyName === '$schema') return {};
    const hint = isAboutRules(keyName) ? ', and forbids nothing: rules are in permissions.json beside this file' : '';
    return { warning: `${at(path, text, key.offset)}: there is no setting "${keyName}"; it is left out${hint}` };
  }
  const value: unknown = getNodeValue(node);
  const wanted = check(value);
  if (wanted !== undefined) {
    const hint = keyName === 'permissions' && isObject(value) ? '. Rules are in permissions.json beside this file' : '';
    throw new BrokenConfig(`${at(path, text, node.offset)}: "${keyName}" must be ${wanted}${hint}`);
  }
  return { entry: [keyName, keyName === 'agents' ? agentsOf(value) : value] };
}

function isAboutRules(key: string): boolean {
  return /^(?:allow|ask|den|disallow|rules)/i.test(key);
}

function agentsOf(value: unknown): unknown {
  const agents = Object.entries(value as Record<string, unknown>);
  return Object.fromEntries(agents.map(([key, each]) => [key, configuredAgent(each)]));
}

function at(path: string, text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n');
  return `${path}:${before.length}:${(before.at(-1) ?? '').length + 1}`;
}
