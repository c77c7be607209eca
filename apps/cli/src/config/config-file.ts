import { readFile } from 'node:fs/promises';
import { type Node, type ParseError, parseTree, getNodeValue, printParseErrorCode } from 'jsonc-parser';
import { type Config, configKeys } from './config.ts';

/** A file of configuration as it was read. */
export interface ConfigFile {
  readonly path: string;
  readonly config: Config;
  /** What is not understood and left out, in words. */
  readonly warnings: readonly string[];
}

/** A file of configuration that cannot be used at all. */
export class BrokenConfig extends Error {
  override readonly name = 'BrokenConfig';
}

/** Reads a file; JSON, in which comments are welcome. Undefined if there is none. Rejects with BrokenConfig, which names the line. */
export async function readConfigFile(path: string): Promise<ConfigFile | undefined> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => absentOrBroken(path, error));
  return text === undefined ? undefined : parseConfig(path, text);
}

function absentOrBroken(path: string, error: unknown): undefined {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
  throw new BrokenConfig(`the configuration ${path} cannot be read (${code})`);
}

function parseConfig(path: string, text: string): ConfigFile {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
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

interface Member {
  readonly entry?: readonly [string, unknown];
  readonly warning?: string;
}

function member({ path, text }: { readonly path: string; readonly text: string }, key: Node, node: Node): Member {
  const keyName = String(key.value);
  const check = Object.hasOwn(configKeys, keyName) ? configKeys[keyName as keyof Config] : undefined;
  if (!check) {
    if (keyName === '$schema') return {};
    return { warning: `${at(path, text, key.offset)}: there is no setting "${keyName}"; it is left out` };
  }
  const value: unknown = getNodeValue(node);
  const wanted = check(value);
  if (wanted !== undefined) throw new BrokenConfig(`${at(path, text, node.offset)}: "${keyName}" must be ${wanted}`);
  return { entry: [keyName, keyName === 'agents' ? agentsOf(value) : value] };
}

/** A command line in place of an agent is short for one with nothing but it. */
function agentsOf(value: unknown): unknown {
  const agents = Object.entries(value as Record<string, unknown>);
  return Object.fromEntries(agents.map(([key, each]) => [key, typeof each === 'string' ? { command: each } : each]));
}

function at(path: string, text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n');
  return `${path}:${before.length}:${(before.at(-1) ?? '').length + 1}`;
}
